// Who may do what: all teams of an organization with their members and repositories, as CSV on standard
// output and a progress bar beside it. Runs by itself against the bundled emulator:
// `npx tsx examples/audit-org-teams.ts > teams.csv`. With TRIFORGE_BASE_URL, TRIFORGE_TOKEN, TRIFORGE_ORG
// (and TRIFORGE_VENDOR) set it reads a real server.
import { pipeline } from 'node:stream/promises';
import { Presets, SingleBar } from 'cli-progress';
import { stringify } from 'csv-stringify';
import { HostingClient, isTriforgeError } from 'triforge';
import type { TeamSummary } from 'triforge/hosting';
import { createEmulator, seeded } from 'triforge/testing';

const { TRIFORGE_BASE_URL, TRIFORGE_TOKEN, TRIFORGE_ORG, TRIFORGE_VENDOR } = process.env;

// No emulator is started where a server is named.
await using emulator = TRIFORGE_BASE_URL === undefined ? createEmulator() : undefined;
await using hosting = new HostingClient({
  baseUrl: TRIFORGE_BASE_URL ?? 'http://code.test/api/v3/',
  vendor: TRIFORGE_VENDOR,
  auth: { type: 'token', token: TRIFORGE_TOKEN ?? seeded.token },
  dispatcher: emulator?.dispatcher(),
  // Teams are read side by side; a used-up quota is waited for instead of failing the audit.
  maxConcurrency: 8,
  rateLimit: { onLimit: 'wait' },
});
const org = TRIFORGE_ORG ?? seeded.owner;

interface Row {
  readonly team: string;
  readonly permission: string;
  readonly kind: 'member' | 'repository';
  readonly name: string;
}

const bar = new SingleBar(
  {
    format: '{bar} {value} of {total} teams',
    stream: process.stderr,
    noTTYOutput: true,
    notTTYSchedule: 5000,
  },
  Presets.shades_classic,
);

async function rowsOf(team: TeamSummary): Promise<Row[]> {
  const [whole, members, repos] = await Promise.all([
    hosting.teams.get({ id: team.id }),
    hosting.teams.listMembers({ id: team.id, per_page: 100 }).toArray(),
    hosting.teams.listRepos({ id: team.id, per_page: 100 }).toArray(),
  ]);
  const { name } = whole;
  const permission = whole.permission ?? '';
  bar.increment();
  return [
    ...members.map(({ login }): Row => ({ team: name, permission, kind: 'member', name: login })),
    ...repos.map(
      (repo): Row => ({
        team: name,
        permission,
        kind: 'repository',
        name: repo.full_name ?? `${repo.owner.login}/${repo.name}`,
      }),
    ),
  ];
}

try {
  const teams = await hosting.teams.list({ org, per_page: 100 }).toArray();
  bar.start(teams.length, 0);
  // Nothing is written before all of it was read: half an audit is worse than none.
  const rows = await Promise.all(teams.map(rowsOf));
  bar.stop();
  const csv = stringify({
    header: true,
    columns: ['team', 'permission', 'kind', 'name'],
    // A name that a spreadsheet would take for a formula stays text.
    escape_formulas: true,
  });
  for (const row of rows.flat()) csv.write(row);
  csv.end();
  await pipeline(csv, process.stdout, { end: false });
  console.error(`${teams.length} teams of ${org}`);
} catch (error) {
  bar.stop();
  if (!isTriforgeError(error)) throw error;
  console.error(`The audit ended early: ${error.message}`);
  process.exitCode = 1;
}
