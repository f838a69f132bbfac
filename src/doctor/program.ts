import { parseArgs } from 'node:util';
import { version } from '../version.js';
import { whatToExamine } from './environment.js';
import { type DoctorProgress, examine, formatIssue, formatReport } from './index.js';

const usage = `triforge-doctor: examines a server without changing anything

  triforge-doctor [options]

  --repo <owner/name>  repository to examine; default: the most active repository that you can see
  --json               print the report as JSON
  --report             print the report as Markdown for a bug tracker, without addresses,
                       credentials, names or data
  --timeout <ms>       maximum wait for a response; default 30000
  --version            print the version
  -h, --help

The doctor reads addresses, credentials and proxies from the same environment variables as the
clients' fromEnv(). It examines each API that has an address:

  TRIFORGE_BASE_URL          hosting API, with TRIFORGE_TOKEN
  TRIFORGE_SUPPORT_BASE_URL  support API, with TRIFORGE_SUPPORT_USER_NAME,
                             TRIFORGE_SUPPORT_API_KEY and TRIFORGE_SUPPORT_PASSWORD
  TRIFORGE_CONSOLE_BASE_URL  console API, with TRIFORGE_CONSOLE_LICENSE (a file)
                             or TRIFORGE_CONSOLE_LICENSE_MD5
  TRIFORGE_VENDOR            vendor name in media types and headers; default: the name that the server uses
  TRIFORGE_PROXY             URL of a proxy, or env to use HTTPS_PROXY and NO_PROXY

Exit code: 0 if there are no problems, 1 if there are problems, 2 if a server could not be examined
or an argument is invalid.
`;

type Terminal = Pick<NodeJS.WriteStream, 'isTTY' | 'columns'> & {
  write(text: string): unknown;
};

/** Creates a progress bar that is drawn only on a terminal. */
function progressBar(terminal: Terminal) {
  const write = (text: string) => {
    if (terminal.isTTY) terminal.write(`\r\u001b[K${text.slice(0, terminal.columns)}`);
  };
  const width = 24;
  return {
    show: ({ done, total, operation }: DoctorProgress) => {
      const filled = Math.round((done / total) * width);
      const bar = '█'.repeat(filled).padEnd(width, '░');
      write(`${bar} ${done}/${total} ${operation}`);
    },
    wipe: () => write(''),
  };
}

/**
 * Runs the program with command-line arguments and environment variables.
 * @returns The program's output and exit code.
 * @throws {Error} if an argument or variable is invalid, or no address is set.
 */
export async function runDoctor(
  args: readonly string[],
  terminal: Terminal,
): Promise<{ readonly text: string; readonly code: number }> {
  const { values } = parseArgs({
    args: [...args],
    options: {
      repo: { type: 'string' },
      json: { type: 'boolean', default: false },
      report: { type: 'boolean', default: false },
      timeout: { type: 'string', default: '30000' },
      version: { type: 'boolean', default: false },
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return { text: usage, code: 0 };
  if (values.version) return { text: `${version}\n`, code: 0 };
  if (values.json && values.report) {
    throw new Error('--json: must not be combined with --report. Use only one of these options.');
  }
  const timeout = Number(values.timeout);
  if (!/^[1-9]\d{0,8}$/.test(values.timeout)) {
    throw new Error(
      `--timeout: must be a whole number of milliseconds from 1 to 999999999 (got ${values.timeout})`,
    );
  }
  const settings = whatToExamine();
  if (!settings.hosting && !settings.support && !settings.console) {
    throw new Error(
      'an address is required. Set TRIFORGE_BASE_URL, TRIFORGE_SUPPORT_BASE_URL or TRIFORGE_CONSOLE_BASE_URL.',
    );
  }
  const bar = progressBar(terminal);
  const report = await examine({
    ...settings,
    repository: values.repo,
    timeout,
    onProgress: bar.show,
  }).finally(bar.wipe);
  const format = values.report ? formatIssue : formatReport;
  const text = values.json ? `${JSON.stringify(report, null, 2)}\n` : format(report);
  const blind = report.families.some(({ reachable }) => !reachable);
  return { text, code: blind ? 2 : Number(!report.healthy) };
}
