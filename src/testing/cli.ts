#!/usr/bin/env node
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { consoleSeed } from './console/emulator.js';
import { control, controlPath } from './control.js';
import { createEmulator } from './emulator.js';
import { seeded } from './hosting/seed.js';
import { type Listening, listen } from './node-server.js';
import { supportSeed } from './support/seed.js';

const usage = `triforge-emulator: an emulator of the hosting, support and Management Console APIs

  --port <number>   where to listen; default 4010, 0 for a free port
  --host <address>  default 127.0.0.1: reachable from this machine only
  --vendor <word>   the word in media types and header names; default service
  --empty           begin with nothing in it, instead of the seed world
  --version, --help
`;

/** More are not kept: the emulator may run for days. */
const keepRequests = 1000;

/** Of the package: sharing a module for it with the clients would cost them one more file to load. */
function versionOf(): string {
  const manifest: unknown = createRequire(import.meta.url)('../../package.json');
  return typeof manifest === 'object' && manifest !== null && 'version' in manifest
    ? String(manifest.version)
    : 'unknown';
}

function read(args: readonly string[]) {
  const { values } = parseArgs({
    args: [...args],
    options: {
      port: { type: 'string', default: '4010' },
      host: { type: 'string', default: '127.0.0.1' },
      vendor: { type: 'string', default: 'service' },
      empty: { type: 'boolean', default: false },
      version: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  const port = Number(values.port);
  if (!/^\d+$/.test(values.port) || port > 65_535) {
    throw new Error(`--port: expected a number from 0 to 65535, got ${values.port}`);
  }
  if (!/^[a-z0-9]+$/i.test(values.vendor)) {
    throw new Error(`--vendor: expected letters and digits, got ${values.vendor}`);
  }
  return { ...values, port };
}

async function run(args: readonly string[]): Promise<void> {
  const { port, host, vendor, empty, version: asksVersion, help } = read(args);
  if (help) return void process.stdout.write(usage);
  if (asksVersion) return void process.stdout.write(`${versionOf()}\n`);
  const emulator = createEmulator({ vendor, seed: !empty, keepRequests });
  const listening = await listen(
    async (request, rawPath) =>
      (await control(emulator, request)) ?? (await emulator.answer(request, rawPath)),
    port,
    host,
  );
  process.stdout.write(greeting(listening, empty));
  const end = () => {
    Promise.all([listening.close(), emulator.close()]).then(
      () => process.exit(0),
      (error: unknown) => fail(error),
    );
  };
  process.once('SIGINT', end).once('SIGTERM', end);
}

function greeting({ url }: Listening, empty: boolean): string {
  const world = empty
    ? ''
    : `seed world      ${seeded.owner}/${seeded.repo}, token ${seeded.token}
                support: ${Object.values(supportSeed).join(' / ')}
                console: license hash ${consoleSeed.licenseMd5}
                OAuth: client ${seeded.clientId}, secret ${seeded.clientSecret}\n`;
  return `hosting API     ${url}/api/v3/
support API     ${url}/api/v2/
console API     ${url}/
${world}status          ${url}${controlPath}
`;
}

function fail(error: unknown): void {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`triforge-emulator: ${message}\n`);
  process.exitCode = 1;
}

run(process.argv.slice(2)).catch(fail);
