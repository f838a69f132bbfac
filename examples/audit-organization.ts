// Audit an organization's permissions as CSV
//
// Reads an organization's teams, members and repositories, with up to 20 requests in flight. If the rate
// limit is exhausted, the program waits. It writes the CSV only after it has read all data, so a failure doesn't
// leave an incomplete audit.
//
//     npm install csv-stringify
//     npx triforge-emulator -- npx tsx node_modules/triforge/examples/audit-organization.ts acme > teams.csv
import { stringify } from 'csv-stringify/sync';
import { HostingClient } from 'triforge';
import type { TeamSummary } from 'triforge/hosting';

const [org = 'acme'] = process.argv.slice(2);

await using hosting = HostingClient.fromEnv({ maxConcurrency: 20, rateLimit: { onLimit: 'wait' } });

async function listRows({ id }: TeamSummary) {
  const [{ name: team, permission }, members, repos] = await Promise.all([
    hosting.teams.get({ id }),
    hosting.teams.listMembers({ id, per_page: 100 }).toArray(),
    hosting.teams.listRepos({ id, per_page: 100 }).toArray(),
  ]);
  const row = (kind: string, name: string) => ({ team, permission, kind, name });
  return [
    ...members.map(({ login }) => row('member', login)),
    ...repos.map(({ owner, name }) => row('repository', `${owner.login}/${name}`)),
  ];
}

const teams = await hosting.teams.list({ org, per_page: 100 }).toArray();
const rows = await Promise.all(teams.map(listRows));
// Prevents spreadsheets from reading a name as a formula.
process.stdout.write(stringify(rows.flat(), { header: true, escape_formulas: true }));
console.error(`${teams.length} teams of ${org}`);
