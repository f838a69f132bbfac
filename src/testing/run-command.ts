import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { consoleSeed } from './console/emulator.js';
import { seeded } from './hosting/seed.js';
import { supportSeed } from './support/seed.js';

/** Where the emulator is and what opens it, under the names that the examples read. */
function placesOf(url: string): Readonly<Record<string, string>> {
  return {
    TRIFORGE_BASE_URL: `${url}/api/v3/`,
    TRIFORGE_TOKEN: seeded.token,
    TRIFORGE_AUTH_URL: url,
    TRIFORGE_CLIENT_ID: seeded.clientId,
    TRIFORGE_CLIENT_SECRET: seeded.clientSecret,
    TRIFORGE_SUPPORT_URL: `${url}/api/v2/`,
    TRIFORGE_USER_NAME: supportSeed.userName,
    TRIFORGE_API_KEY: supportSeed.apiKey,
    TRIFORGE_PASSWORD: supportSeed.password,
    TRIFORGE_CONSOLE_URL: url,
    TRIFORGE_LICENSE_MD5: consoleSeed.licenseMd5,
  };
}

/** Runs a command that finds the emulator in its environment. @returns its exit code, when it has ended. */
export async function runCommand(
  [program = '', ...args]: readonly string[],
  url: string,
): Promise<number> {
  const child = spawn(program, args, {
    env: { ...process.env, ...placesOf(url) },
    stdio: 'inherit',
  });
  // A terminal sends Ctrl-C to both: the command decides when it ends, and the emulator with it.
  process.on('SIGINT', () => undefined);
  process.on('SIGTERM', () => child.kill('SIGTERM'));
  return await new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code, signal) => {
      resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal]));
    });
  });
}
