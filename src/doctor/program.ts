import { parseArgs } from 'node:util';
import { whatToExamine } from './environment.js';
import { type DoctorProgress, examine, formatIssue, formatReport } from './index.js';

const usage = `triforge-doctor: what a server is like; it changes nothing there

  triforge-doctor [options]

  --repo <owner/name>  a repository to look into; default the first that the user has
  --json               the report as JSON
  --report             the report as Markdown for a bug tracker: no addresses, no credentials, no data
  --timeout <ms>       longest wait for an answer; default 30000
  -h, --help

Addresses, credentials and proxies come from the environment, as fromEnv() of the clients reads it; each
interface that has an address is examined:

  TRIFORGE_BASE_URL          hosting API, with TRIFORGE_TOKEN
  TRIFORGE_SUPPORT_BASE_URL  support API, with TRIFORGE_SUPPORT_USER_NAME,
                             TRIFORGE_SUPPORT_API_KEY and TRIFORGE_SUPPORT_PASSWORD
  TRIFORGE_CONSOLE_BASE_URL  console API, with TRIFORGE_CONSOLE_LICENSE (a file)
                             or TRIFORGE_CONSOLE_LICENSE_MD5
  TRIFORGE_VENDOR            the word in media types and header names; default: as the server tells
  TRIFORGE_PROXY             the way there: a URL, or env for HTTPS_PROXY and its like

It ends with 0 where nothing is wrong, with 1 where something is, with 2 where it could not look.
`;

/** Where it says how far it is. */
type Terminal = Pick<NodeJS.WriteStream, 'isTTY' | 'columns'> & {
  write(text: string): unknown;
};

/** Draws how far it is where somebody looks; gives what wipes it away. */
function progressBar(terminal: Terminal) {
  const write = (text: string) => {
    if (terminal.isTTY) terminal.write(`\r\u001b[K${text.slice(0, terminal.columns)}`);
  };
  const width = 24;
  return {
    told: ({ done, total, operation }: DoctorProgress) => {
      const filled = Math.round((done / total) * width);
      const bar = '█'.repeat(filled).padEnd(width, '░');
      write(`${bar} ${done}/${total} ${operation}`);
    },
    wipe: () => write(''),
  };
}

/**
 * The program: what it is asked for by arguments and environment, and what it ends with.
 * @throws where it can't look: a wrong argument or variable, nothing to look at.
 */
export async function run(
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
      help: { type: 'boolean', short: 'h', default: false },
    },
  });
  if (values.help) return { text: usage, code: 0 };
  if (values.json && values.report) throw new Error('--json: excludes --report');
  const timeout = Number(values.timeout);
  if (!/^[1-9]\d{0,8}$/.test(values.timeout)) {
    throw new Error(`--timeout: expected milliseconds, got ${values.timeout}`);
  }
  const asked = whatToExamine();
  if (!asked.hosting && !asked.support && !asked.console) {
    throw new Error(
      'set TRIFORGE_BASE_URL, TRIFORGE_SUPPORT_BASE_URL or TRIFORGE_CONSOLE_BASE_URL (--help)',
    );
  }
  const bar = progressBar(terminal);
  const report = await examine({
    ...asked,
    repository: values.repo,
    timeout,
    onProgress: bar.told,
  }).finally(bar.wipe);
  const format = values.report ? formatIssue : formatReport;
  const text = values.json ? `${JSON.stringify(report, null, 2)}\n` : format(report);
  const blind = report.families.some(({ reachable }) => !reachable);
  return { text, code: blind ? 2 : Number(!report.healthy) };
}
