// How long the library's own code takes to load, once all that it imports is loaded.
// As the library imports it: what an ES module pays for a CommonJS one is not ours.
import 'undici/lib/core/connect.js';
import 'undici/lib/dispatcher/agent.js';

// Called, because a bundler drops bare imports of Node's own modules as free of effects.
await Promise.all([
  import('node:buffer'),
  import('node:crypto'),
  import('node:diagnostics_channel'),
  import('node:fs/promises'),
  import('node:path'),
  import('node:stream'),
  import('node:timers/promises'),
  import('node:url'),
  import('node:util'),
  import('node:zlib'),
]);

const start = performance.now();
await import('triforge/hosting');
console.log(performance.now() - start);
