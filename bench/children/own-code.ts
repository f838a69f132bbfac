// How long the library's own code takes to load, once all that it imports is loaded.
import 'node:buffer';
import 'node:crypto';
import 'node:diagnostics_channel';
import 'node:fs/promises';
import 'node:path';
import 'node:stream';
import 'node:timers/promises';
import 'node:url';
import 'node:util';
import 'node:zlib';
// As the library imports it: what an ES module pays for a CommonJS one is not ours.
import 'undici/lib/core/connect.js';
import 'undici/lib/dispatcher/agent.js';

const start = performance.now();
await import('triforge/hosting');
console.log(performance.now() - start);
