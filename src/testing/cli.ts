#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { errorMessage } from '../schema/unknown-values.js';
import { fixedClock } from './clock.js';
import { consoleSeed } from './console/emulator.js';
import { control } from './control.js';
import { createEmulator } from './emulator.js';
import type { LoggedRequest } from './exchange-log.js';
import { seeded } from './hosting/seed.js';
import { type Listening, listen } from './node-server.js';
import { runCommand } from './run-command.js';
import { controlPath } from './sites.js';
import { StateKeeper } from './state-keeper.js';
import { supportSeed } from './support/seed.js';
import { readWorld } from './world/file.js';

const usage = `triforge-emulator: an emulator of the hosting, support and Management Console APIs

  triforge-emulator [options]                  serves until it is stopped
  triforge-emulator [options] -- <command>     runs a program that finds it by fromEnv(),
                                               and ends with it

  --port <number>   where to listen; default 4010, a free port for a command; 0 for a free port
  --host <address>  default 127.0.0.1: reachable from this machine only
  --allow-host <name>, --allow-origin <origin>
                    answer to this name too, and to pages of this origin; repeatable
  --clock <time>    a fixed time, such as 2014-06-01T12:00:00Z; default: the present, running
  --vendor <word>   the word in media types and header names; default service
  --seed <file>     begin with the world of a YAML or JSON file, instead of the seed world
  --state <file>    go on with what this file holds, where it is there, and keep everything in it
  --empty           begin with nothing in it, instead of the seed world
  --quiet           do not log requests
  --version
  -h, --help
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
  const dashes = args.indexOf('--');
  const command = dashes < 0 ? undefined : args.slice(dashes + 1);
  if (command?.length === 0) throw new Error('--: expected a command after it');
  const { values } = parseArgs({
    args: command === undefined ? [...args] : args.slice(0, dashes),
    options: {
      port: { type: 'string', default: command === undefined ? '4010' : '0' },
      host: { type: 'string', default: '127.0.0.1' },
      'allow-host': { type: 'string', multiple: true },
      'allow-origin': { type: 'string', multiple: true },
      clock: { type: 'string' },
      vendor: { type: 'string', default: 'service' },
      seed: { type: 'string' },
      state: { type: 'string' },
      empty: { type: 'boolean', default: false },
      quiet: { type: 'boolean', default: false },
      version: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  const port = Number(values.port);
  if (!/^\d+$/.test(values.port) || port > 65_535) {
    throw new Error(`--port: expected a number from 0 to 65535, got ${values.port}`);
  }
  if (!/^[a-z0-9]+$/i.test(values.vendor)) {
    throw new Error(`--vendor: expected letters and digits, got ${values.vendor}`);
  }
  if (values.clock !== undefined) fixedClock(values.clock, '--clock');
  if (values.seed !== undefined && values.empty) throw new Error('--seed: excludes --empty');
  const sites = { allowHosts: values['allow-host'], allowOrigins: values['allow-origin'] };
  return { ...values, port, sites, command };
}

async function run(options: ReturnType<typeof read>): Promise<void> {
  const { port, host, sites, vendor, empty, quiet, command, state, ...asked } = options;
  if (asked.help) return void process.stdout.write(usage);
  if (asked.version) return void process.stdout.write(`${versionOf()}\n`);
  // The output of a command is its own.
  const onRequest = quiet || command !== undefined ? undefined : logRequest;
  const kept = state !== undefined && existsSync(state) ? state : undefined;
  const file = kept ?? asked.seed;
  const seed = file === undefined ? !empty : await readWorld(file);
  // A fixed clock continues where the kept state left it.
  const continued = kept !== undefined && typeof seed === 'object' && seed.now !== undefined;
  const clock = continued ? undefined : asked.clock;
  const emulator = createEmulator({ vendor, clock, seed, keepRequests, onRequest });
  const keeper = state === undefined ? undefined : new StateKeeper(state, emulator, fail);
  const listening = await listen(
    async (request, rawPath) => {
      const answer =
        (await control(emulator, request)) ?? (await emulator.answer(request, rawPath));
      if (request.method !== 'GET' && request.method !== 'HEAD') keeper?.soon();
      return answer;
    },
    port,
    host,
    sites,
  );
  const close = () => Promise.all([listening.close(), emulator.close(), keeper?.now()]);
  if (command !== undefined) {
    process.exitCode = await runCommand(command, listening.url, vendor).finally(close);
    return;
  }
  const end = () => void close().then(() => process.exit(0), fail);
  // Who reads the greeting may end it at once.
  process.once('SIGINT', end).once('SIGTERM', end);
  process.stdout.write(greeting(listening, file ?? (empty ? 'empty' : undefined)));
}

/** One line a request, as the record has it: credentials masked. */
function logRequest({ status, method, path }: LoggedRequest): void {
  process.stdout.write(`${status === 0 ? '---' : status} ${method.padEnd(6)} ${path}\n`);
}

function greeting({ url }: Listening, other: string | undefined): string {
  const world =
    other !== undefined
      ? `world           ${other}\n`
      : `seed world      ${seeded.owner}/${seeded.repo}, token ${seeded.token}
                support: ${Object.values(supportSeed).join(' / ')}
                console: license hash ${consoleSeed.licenseMd5}
                OAuth: client ${seeded.clientId}, secret ${seeded.clientSecret},
                callback http://localhost:<any port>/callback\n`;
  return `hosting API     ${url}/api/v3/
support API     ${url}/api/v2/
console API     ${url}/
${world}status          ${url}${controlPath}
`;
}

function fail(error: unknown): void {
  const message = errorMessage(error);
  process.stderr.write(`triforge-emulator: ${message}\n`);
  process.exitCode = 1;
}

try {
  run(read(process.argv.slice(2))).catch(fail);
} catch (error) {
  fail(error);
  process.exitCode = 2;
}
