// Measures how long the library's code takes to load after its dependencies. Imports undici's
// modules first, so the time to load this CommonJS code isn't counted.
import 'undici/lib/core/connect.js';
import 'undici/lib/dispatcher/agent.js';

// These imports are dynamic, because bundlers drop static imports of built-in modules without bindings.
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
