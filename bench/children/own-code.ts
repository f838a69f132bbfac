// Measures how long the library's own code takes to load after all its dependencies are loaded.
// Imported as in the library, because loading CommonJS from an ES module takes time that isn't the library's.
import 'undici/lib/core/connect.js';
import 'undici/lib/dispatcher/agent.js';

// Dynamic imports, because bundlers drop bare static imports of Node's built-in modules.
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
