import { spawn } from 'node:child_process';
import { constants } from 'node:os';
import { consoleSeed } from './console/emulator.js';
import { seeded } from './hosting/seed.js';
import { supportSeed } from './support/seed.js';

/** Where the emulator is and what opens it, by the variables of the clients' `fromEnv` and of an OAuth app. */
function placesOf(url: string, vendor: string): Readonly<Record<string, string>> {
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

/** Runs a command that finds the emulator in its environment. @returns its exit code, when it has ended. */
export async function runCommand(
  [program = '', ...args]: readonly string[],
  url: string,
  vendor: string,
): Promise<number> {
  // What is set for a real server, other credentials or a proxy, is not for the emulator.
  const inherited = Object.entries(process.env).filter(
    ([name]) => !name.startsWith('TRIFORGE_') || name === 'TRIFORGE_LOG',
  );
  const child = spawn(program, args, {
    env: { ...Object.fromEntries(inherited), ...placesOf(url, vendor) },
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
