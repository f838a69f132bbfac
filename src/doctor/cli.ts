#!/usr/bin/env node
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

/** Draws how far it is where somebody looks; gives what wipes it away. */
function progressBar(): { told: (progress: DoctorProgress) => void; wipe: () => void } {
  const { stderr } = process;
  if (!stderr.isTTY) return { told: () => undefined, wipe: () => undefined };
  const width = 24;
  return {
    told: ({ done, total, operation }) => {
      const filled = Math.round((done / total) * width);
      const bar = '█'.repeat(filled).padEnd(width, '░');
      stderr.write(`\r\u001b[K${bar} ${done}/${total} ${operation}`.slice(0, stderr.columns + 4));
    },
    wipe: () => stderr.write('\r\u001b[K'),
  };
}

async function run(args: readonly string[]): Promise<void> {
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
  if (values.help) return void process.stdout.write(usage);
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
  const bar = progressBar();
  const report = await examine({
    ...asked,
    repository: values.repo,
    timeout,
    onProgress: bar.told,
  }).finally(bar.wipe);
  const format = values.report ? formatIssue : formatReport;
  process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : format(report));
  const blind = report.families.some(({ reachable }) => !reachable);
  process.exitCode = blind ? 2 : Number(!report.healthy);
}

run(process.argv.slice(2)).catch((error: unknown) => {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`triforge-doctor: ${message}\n`);
  process.exitCode = 2;
});
