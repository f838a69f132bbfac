import { spawn, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { consoleSeed, createEmulator, type Emulator, seeded } from '../../src/testing/index.js';
import { found, here, type Row, type Scene } from '../outside/row.js';
import { adminStats } from '../outside/rows/admin-stats.js';
import { authorizations } from '../outside/rows/authorizations.js';
import { commitComments, gitRefs } from '../outside/rows/commits.js';
import { consoleRows } from '../outside/rows/console.js';
import { contents, pulls, starring } from '../outside/rows/first-resources.js';
import { releases } from '../outside/rows/releases.js';
import { downloads, hooks, pages } from '../outside/rows/repository.js';
import { teams } from '../outside/rows/teams.js';
import { certificate, privateKey } from '../socket/console-certificate.js';
import { type Client, clients, programs } from './clients.js';
import { differences } from './differences.js';
import { programRows, webRows } from './rows.js';

// Runs clients in other languages against the emulator. The data that each client parses must equal
// the emulator's state. Writes the table of rows by client to docs/foreign-clients.md.

const rows: readonly Row[] = [
  ...authorizations,
  ...webRows,
  ...teams,
  ...releases,
  ...commitComments,
  ...gitRefs,
  ...contents,
  ...pages,
  ...pulls,
  ...hooks,
  ...starring,
  ...downloads,
  ...adminStats,
  ...programRows,
  ...consoleRows,
].filter(
  ({ status, how }) =>
    status < 300 || status === 302 || (status === 404 && !how?.includes('not valid')),
);

const folder = fileURLToPath(new URL('.', import.meta.url));
const docs = fileURLToPath(new URL('../../docs/foreign-clients.md', import.meta.url));

interface Answer {
  readonly data?: unknown;
  readonly error?: string;
  readonly unknown?: true;
}

/**
 * Outcome of a request. Undefined if the client's program can't send the request.
 * Empty if there was no problem.
 */
type Outcome = string | undefined;

/** A client's outcome for a row, across all ways to send the row. */
interface RowOutcome {
  good: boolean;
  /** Problems by request. */
  readonly problems: Map<string, string>;
}

/**
 * Returns a field of an installed Debian package, or an empty string if the package isn't
 * installed.
 */
function dpkg(name: string, field: string): string {
  const format = `$\{${field}}`;
  return spawnSync('dpkg-query', ['-W', '-f', format, name], { encoding: 'utf8' }).stdout;
}

/** Installs missing Debian packages. */
function install(): void {
  const packages = [...new Set([...clients.flatMap((client) => client.packages), ...programs])];
  const missing = packages.filter((name) => {
    return !dpkg(name, 'db:Status-Status').startsWith('installed');
  });
  if (missing.length === 0) return;
  console.log(`installing ${missing.join(' ')}`);
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' };
  const options = { stdio: 'inherit', env } as const;
  spawnSync('apt-get', ['update', '-qq'], options);
  const done = spawnSync(
    'apt-get',
    ['install', '-y', '-qq', '--no-install-recommends', ...missing],
    options,
  );
  if (done.status !== 0) throw new Error(`apt-get install ${missing.join(' ')} failed`);
}

function readVersion({ packages }: Client): string {
  const [name] = packages;
  return name === undefined ? '' : dpkg(name, 'Version').replace(/^\d+:|[-+].*$/g, '');
}

/** Starts a client's program, which handles one request after another. */
function start(client: Client, url: string) {
  const env = {
    ...process.env,
    ...client.environment,
    BASE: `${url}/`,
    TOKEN: seeded.token,
    LOGIN: seeded.login,
    PASSWORD: seeded.password,
    CLIENT_ID: seeded.clientId,
    CLIENT_SECRET: seeded.clientSecret,
    LICENSE_MD5: consoleSeed.licenseMd5,
  };
  const [command = '', ...args] = client.command;
  const child = spawn(command, args, { cwd: folder, env, stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  return {
    async sendRequest(request: object): Promise<Answer> {
      child.stdin.write(`${JSON.stringify(request)}\n`);
      const { value, done } = await lines.next();
      if (done) throw new Error(`${client.name} ended`);
      return JSON.parse(String(value)) as Answer; // `as`: the programs in this folder write these lines.
    },
    end: () => child.stdin.end(),
  };
}

function createScene(emulator: Emulator, url: string): Scene {
  emulator.reset();
  return {
    emulator,
    url,
    rocket: found(emulator.hosting.state.repo(here.owner, here.repo), 'rocket'),
  };
}

async function getOutcome(
  row: Row,
  scene: Scene,
  sendRequest: (request: object) => Promise<Answer>,
): Promise<Outcome> {
  row.before?.(scene);
  const parameters = typeof row.parameters === 'function' ? row.parameters(scene) : row.parameters;
  const { methods, as = 'token' } = row;
  const response = await sendRequest({ row: row.row, as, methods, parameters });
  if (response.unknown) return undefined;
  if (row.status === 404) {
    // Clients report a 404 as false, as no value, or as an error.
    const reported = response.error !== undefined || !response.data;
    return reported ? '' : 'reported as existing';
  }
  if (response.error !== undefined) return response.error;
  const unlike = row.data ? differences(response.data, row.data(scene)) : [];
  for (const [what, holds] of Object.entries((await row.after?.(scene)) ?? {})) {
    if (!holds) unlike.push(`condition not met: ${what}`);
  }
  return unlike.slice(0, 3).join('; ');
}

async function tryOut(client: Client): Promise<Map<string, RowOutcome>> {
  const tls = client.tls && { cert: certificate, key: privateKey };
  await using emulator = createEmulator({ vendor: 'github', tls });
  const { url } = await emulator.listen();
  const program = start(client, url);
  const outcomes = new Map<string, RowOutcome>();
  for (const row of rows) {
    const outcome = await getOutcome(row, createScene(emulator, url), program.sendRequest);
    if (outcome === undefined) continue;
    const known = outcomes.get(row.row) ?? { good: false, problems: new Map<string, string>() };
    outcomes.set(row.row, known);
    if (outcome === '') known.good = true;
    else known.problems.set(row.how === undefined ? row.row : `${row.row}: ${row.how}`, outcome);
  }
  program.end();
  return outcomes;
}

/** Formats a row's name and, if there is one, the way to send the request as code. */
function formatRequest(what: string): string {
  const [row, how] = what.split(': ');
  return how === undefined ? `\`${row}\`` : `\`${row}\` (\`${how}\`)`;
}

/** Formats the table, followed by the problems. */
function written(all: ReadonlyMap<Client, ReadonlyMap<string, RowOutcome>>): string {
  const outside = new Set(rows.filter((row) => row.notInContract).map(({ row }) => row));
  const names = [...new Set(rows.map(({ row }) => row))];
  const head = [...all.keys()].map((client) => `${client.name} ${readVersion(client)}`.trim());
  const lines = names.map((row) => {
    const cells = [...all].map(([, outcomes]) => {
      const outcome = outcomes.get(row);
      return outcome === undefined ? '' : outcome.good ? 'yes' : 'no';
    });
    return `| \`${row}\`${outside.has(row) ? ' (undocumented)' : ''} | ${cells.join(' | ')} |`;
  });
  const problems = [...all].flatMap(([client, outcomes]) =>
    [...outcomes.values()].flatMap((outcome) =>
      [...outcome.problems].map(
        ([what, problem]) =>
          `- ${client.name}, ${formatRequest(what)}: ${client.age[what] ?? problem}`,
      ),
    ),
  );
  const inside = names.filter((row) => !outside.has(row));
  const good = inside.filter((row) => [...all.values()].some((each) => each.get(row)?.good));
  const which =
    good.length === inside.length ? `all ${inside.length}` : `${good.length} of ${inside.length}`;
  return [
    `In ${which} rows for documented endpoints, at least one of the ${all.size} clients succeeded. An empty cell means that the request wasn't tested with the client.`,
    '',
    `| row | ${head.join(' | ')} |`,
    `|---|${head.map(() => '---').join('|')}|`,
    ...lines,
    ...(problems.length > 0 ? ['', 'Reasons for failures:', '', ...problems] : []),
  ].join('\n');
}

install();
const all = new Map<Client, Map<string, RowOutcome>>();
const unexplained: string[] = [];
for (const client of clients) {
  const outcomes = await tryOut(client);
  all.set(client, outcomes);
  const good = [...outcomes.values()].filter((each) => each.good).length;
  console.log(`${client.name}: ${good} of ${outcomes.size} rows`);
  for (const { problems } of outcomes.values()) {
    for (const [what, problem] of problems) {
      console.log(`  ${what}: ${problem}`);
      if (client.age[what] === undefined) unexplained.push(`${client.name}, ${what}`);
    }
  }
}
const page = readFileSync(docs, 'utf8');
const marks = /(<!-- foreign clients -->\n)[\s\S]*?(\n?<!-- end of foreign clients -->)/;
if (!marks.test(page)) throw new Error('docs/foreign-clients.md has no markers for the table');
writeFileSync(
  docs,
  page.replace(marks, (_all, start, end) => `${start}${written(all)}\n${end.trimStart()}`),
);
if (unexplained.length > 0) {
  console.error(`unexplained failures: ${unexplained.join('; ')}`);
  process.exitCode = 1;
}
