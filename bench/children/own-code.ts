// How long the library's own code takes to load, once all that it imports is loaded.
import { createRequire } from 'node:module';
import 'node:crypto';
import 'node:diagnostics_channel';
import 'node:events';
import 'node:fs/promises';
import 'node:stream/promises';
import 'node:timers/promises';
import 'node:url';
import 'node:util';
import 'node:zlib';
import 'uri-template';
import 'zod';

const require = createRequire(import.meta.url);
for (const name of ['core/errors.js', 'dispatcher/agent.js', 'dispatcher/dispatcher.js']) {
  require(`undici/lib/${name}`);
}
const start = performance.now();
await import('triforge/hosting');
console.log(performance.now() - start);
