import { parseArgs } from 'node:util';
import { environment as console } from '../console/client.js';
import type { ConsoleClientOptions } from '../console/index.js';
import { environment as hosting } from '../hosting/client.js';
import type { HostingClientOptions } from '../hosting/index.js';
import { environment as support } from '../support/client.js';
import type { SupportClientOptions } from '../support/index.js';
import { type Environment, fromEnvironment } from '../transport/environment.js';
import { examine, formatReport } from './index.js';

const usage = `triforge-doctor [--json]

Examines a server without changing anything.

  --json  print the report as JSON

The doctor reads the same environment variables as the clients' fromEnv(). It examines each API
that has an address in TRIFORGE_BASE_URL (for example with TRIFORGE_TOKEN),
TRIFORGE_SUPPORT_BASE_URL or TRIFORGE_CONSOLE_BASE_URL.

Exit code: 0 if there are no problems, 1 if there are problems, 2 if a server could not be examined
or an argument is invalid.
`;

/**
 * Runs the program. Reads addresses and credentials from environment variables, because other users
 * of the machine can read command-line arguments.
 * @returns The program's output and exit code.
 * @throws {Error} if an argument or variable is invalid, or no address is set.
 */
export async function runDoctor(
  args: readonly string[],
): Promise<{ readonly text: string; readonly code: number }> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      json: { type: 'boolean', default: false },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return { text: usage, code: 0 };
  const settings = {
    hosting: readOptions<HostingClientOptions>(hosting),
    support: readOptions<SupportClientOptions>(support),
    console: readOptions<ConsoleClientOptions>(console),
  };
  if (!settings.hosting && !settings.support && !settings.console) {
    throw new Error(
      'an address is required. Set TRIFORGE_BASE_URL, TRIFORGE_SUPPORT_BASE_URL or TRIFORGE_CONSOLE_BASE_URL.',
    );
  }
  const report = await examine(settings);
  const text = values.json ? `${JSON.stringify(report, null, 2)}\n` : formatReport(report);
  const isComplete = report.families.every(({ reachable }) => reachable);
  return { text, code: isComplete ? Number(!report.healthy) : 2 };
}

function readOptions<Options extends object>(environment: Environment): Options | undefined {
  if (!process.env[environment.options.baseUrl]) return undefined;
  return fromEnvironment(environment, undefined, (options: Options) => options);
}
