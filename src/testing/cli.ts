#!/usr/bin/env node
import { spawn } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { access, constants as accessModes } from 'node:fs/promises';
import { constants } from 'node:os';
import { dirname, resolve } from 'node:path';
import { errorMessage } from '../schema/unknown-values.js';
import { version } from '../version.js';
import { readOptions, usage } from './cli-options.js';
import { consoleSeed } from './console/emulator.js';
import { control } from './control.js';
import { createEmulator } from './emulator.js';
import { seeded } from './hosting/seed.js';
import { type Listening, listen } from './node-server.js';
import type { LoggedRequest } from './request-log.js';
import { controlPath } from './sites.js';
import { changesState, keepState } from './state-file.js';
import { supportSeed } from './support/seed.js';
import { readWorld } from './world/file.js';

async function run(options: ReturnType<typeof readOptions>): Promise<void> {
  const { port, host, seed: seedFile, empty, quiet, command, state, ...rest } = options;
  if (rest.help) return void process.stdout.write(usage);
  if (rest.version) return void process.stdout.write(`${version}\n`);
  // The command writes to standard output, so requests aren't logged there.
  const onRequest = quiet || command !== undefined ? undefined : logRequest;
  // Reports a missing or read-only folder now rather than at the first write.
  if (state !== undefined) await access(dirname(resolve(state)), accessModes.W_OK);
  const kept = state !== undefined && existsSync(state) ? state : undefined;
  const file = kept ?? seedFile;
  const seed = file === undefined ? !empty : await readWorld(file);
  // If the state file has a fixed time, that time takes precedence over `--clock`.
  const continued = kept !== undefined && typeof seed === 'object' && seed.now !== undefined;
  const clock = continued ? undefined : rest.clock;
  const emulator = createEmulator({ ...rest.emulator, clock, seed, onRequest });
  const keeper = state === undefined ? undefined : keepState(state, emulator, exitWithError);
  const listening = await listen(
    async (request, rawPath) => {
      const response =
        (await control(emulator, request)) ?? (await emulator.respond(request, rawPath));
      if (changesState(request)) keeper?.soon();
      return response;
    },
    port,
    host,
    rest.emulator,
  );
  const close = () => Promise.all([listening.close(), emulator.close(), keeper?.now()]);
  if (command !== undefined) {
    const { vendor } = rest.emulator;
    const { NODE_EXTRA_CA_CERTS = rest.tlsCert && resolve(rest.tlsCert) } = process.env;
    const env = { ...listBaseUrls(listening.url, vendor), NODE_EXTRA_CA_CERTS };
    process.exitCode = await runCommand(command, env).finally(close);
    return;
  }
  let ending = false;
  const end = () => {
    if (ending) return;
    ending = true;
    close().then(() => process.exit(0), exitWithError);
  };
  // Install the signal handlers before printing the greeting, because a program that reads the
  // greeting may stop the emulator immediately. Under npx, Ctrl-C sends SIGINT twice, once from the
  // terminal and once from npm. The second signal must not end the process before the state is
  // written.
  process.on('SIGINT', end).on('SIGTERM', end).on('SIGHUP', end);
  if (process.env.npm_command === 'exec') {
    // End when npx ends, because npx doesn't end this program if npx itself is killed.
    const npx = findNpx();
    setInterval(() => findNpx() !== npx && end(), 500).unref();
  }
  // A reader such as `head` may close the output. The emulator then continues without output.
  process.stdout.on('error', () => undefined);
  process.stdout.write(
    greeting(listening, rest.emulator.origin, file ?? (empty ? 'empty' : undefined)),
  );
}

/**
 * Returns the process IDs of this program's parent and, on Linux, of the shell's parent, because npx
 * starts a shell, which starts this program.
 */
function findNpx(): string {
  const status = `/proc/${process.ppid}/status`;
  const shell = existsSync(status) ? readFileSync(status, 'utf8') : '';
  return `${process.ppid} ${/^Name:\s*\w*sh\n[\s\S]*^PPid:\s*(\d+)/m.exec(shell)?.[1]}`;
}

const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

/**
 * Runs a command with inherited input and output. Except for `TRIFORGE_LOG`, the command doesn't
 * inherit `TRIFORGE_*` variables.
 * @param env variables to add to the environment.
 * @returns the command's exit code.
 */
async function runCommand(
  [program = '', ...args]: readonly string[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<number> {
  // The command must not use a real server's credentials or proxies with the emulator.
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('TRIFORGE_') || name === 'TRIFORGE_LOG',
  );
  const child = spawn(program, args, {
    env: { ...Object.fromEntries(inherited), ...env },
    stdio: 'inherit',
  });
  for (const signal of signals) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the command too. Many programs end immediately when they receive
      // a second SIGINT.
      if (signal !== 'SIGINT' || !process.stdin.isTTY) child.kill(signal);
    });
  }
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}

/** Prints one line per request, with credentials masked. */
function logRequest({ status, method, path }: LoggedRequest): void {
  process.stdout.write(`${status === 0 ? '---' : status} ${method.padEnd(6)} ${path}\n`);
}

/**
 * Returns the emulator's addresses and credentials as environment variables for the clients' `fromEnv` and
 * for OAuth applications.
 */
function listBaseUrls(url: string, vendor: string): Readonly<Record<string, string>> {
  return {
    TRIFORGE_BASE_URL: `${url}/api/v3/`,
    TRIFORGE_TOKEN: seeded.token,
    TRIFORGE_VENDOR: vendor,
    TRIFORGE_OAUTH_AUTH_URL: url,
    TRIFORGE_OAUTH_CLIENT_ID: seeded.clientId,
    TRIFORGE_OAUTH_CLIENT_SECRET: seeded.clientSecret,
    TRIFORGE_SUPPORT_BASE_URL: `${url}/api/v2/`,
    TRIFORGE_SUPPORT_USER_NAME: supportSeed.userName,
    TRIFORGE_SUPPORT_API_KEY: supportSeed.apiKey,
    TRIFORGE_SUPPORT_PASSWORD: supportSeed.password,
    TRIFORGE_CONSOLE_BASE_URL: url,
    TRIFORGE_CONSOLE_LICENSE_MD5: consoleSeed.licenseMd5,
    TRIFORGE_CONSOLE_VENDOR: vendor,
  };
}

function greeting(
  { url, port }: Listening,
  origin: string | undefined,
  other: string | undefined,
): string {
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
${origin === undefined ? '' : `port            ${port}, behind ${origin}\n`}`;
}

function exitWithError(error: unknown): void {
  const message = errorMessage(error);
  process.stderr.write(`triforge-emulator: ${message}\n`);
  process.exitCode = 1;
}

try {
  run(readOptions(process.argv.slice(2))).catch(exitWithError);
} catch (error) {
  exitWithError(error);
  process.exitCode = 2;
}
