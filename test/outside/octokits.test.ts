// Runs in a separate process, because importing undici's index would replace the agent of the
// global `fetch`, which the clients use.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createEmulator } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { type Era, type ForeignClient, getAuth, newEra, oldEra } from './octokits.js';
import { found, here, type Identity, type Row, type Scene } from './row.js';
import { adminStats } from './rows/admin-stats.js';
import { authorizations } from './rows/authorizations.js';
import { commitComments, gitRefs } from './rows/commits.js';
import { consoleRows } from './rows/console.js';
import { contents, pulls, rateLimit, starring } from './rows/first-resources.js';
import { releases } from './rows/releases.js';
import { downloads, hooks, pages } from './rows/repository.js';
import { teams } from './rows/teams.js';

// Runs two generations of octokit clients against the emulator and compares their parsed responses
// with the emulator's state.

const rows: readonly Row[] = [
  ...authorizations,
  ...teams,
  ...pulls,
  ...releases,
  ...commitComments,
  ...gitRefs,
  ...contents,
  ...pages,
  ...hooks,
  ...starring,
  ...downloads,
  ...adminStats,
  ...rateLimit,
  ...consoleRows,
];

/** Normalizes a row: removes parameter names and the optional namespace of references. */
function getShape(row: string): string {
  return row
    .replace(/ \(update\)$/, '')
    .replace(/\{\?[^}]*\}/g, '')
    .replace(/:\w+|\{\w+\}/g, ':')
    .replace(/^(.*\/git\/refs)$/, (all) => (all.startsWith('GET') ? `${all}/:` : all));
}

const methodIn = (era: Era, row: Row) => row.methods.find((name) => era.routes.has(name));
const knownRows = (era: Era) => rows.filter((row) => methodIn(era, row) !== undefined);
function formatTitle({ row, how, notInContract }: Row): string {
  const notes = [how, notInContract ? 'not in the contract' : undefined].filter((note) => note);
  return notes.length === 0 ? row : `${row} (${notes.join(', ')})`;
}

/** Lists of more than one page, each with its number of items. */
const lists: readonly [method: string, parameters: object, length: (scene: Scene) => number][] = [
  ['pulls.list', { ...here, state: 'all' }, ({ rocket }) => rocket.pulls.length],
  ['repos.listPagesBuilds', here, ({ rocket }) => rocket.pages?.builds.length ?? 0],
  [
    'teams.list',
    { org: here.owner },
    ({ emulator }) => emulator.hosting.state.listTeams('acme').length,
  ],
  ['activity.listStargazersForRepo', here, ({ rocket }) => rocket.stargazers.size],
];

let scene: Scene;

// The old client warns about options that its own request module deprecates.
beforeAll(() => void vi.spyOn(console, 'warn').mockReturnValue(undefined));
afterAll(() => void vi.restoreAllMocks());

beforeEach(async () => {
  const emulator = createEmulator({ ...noon, vendor: 'github' });
  const { url } = await emulator.listen();
  const rocket = found(emulator.hosting.state.repo(here.owner, here.repo), 'rocket');
  scene = { emulator, url, rocket };
});

afterEach(() => scene.emulator.close());

function createClient(era: Era, identity: Identity = 'token'): ForeignClient {
  const baseUrl = identity === 'license' ? scene.url : `${scene.url}/api/v3`;
  return era.open(baseUrl, getAuth(era, identity));
}

describe.each([
  [oldEra.name, oldEra, 75],
  [newEra.name, newEra, 38],
] as const)('%s against the emulator', (_name, era, count) => {
  const known = knownRows(era).filter((row) => era === oldEra || (row.as ?? 'token') === 'token');

  test.each(known.map((row) => [formatTitle(row), row] as const))(
    `${era.name} gets the specified response for %s`,
    async (_title, row) => {
      const { parameters, before, after, data, status, as } = row;
      before?.(scene);
      const passed = typeof parameters === 'function' ? parameters(scene) : parameters;
      const method = methodIn(era, row) ?? '';
      const requests = createClient(era, as).call(method, { ...passed });
      if (status >= 400) {
        await expect(requests).rejects.toMatchObject({ status });
      } else {
        const response = await requests;
        expect(response.status, JSON.stringify(response.data)).toBe(status);
        if (data) expect({ data: response.data }).toMatchObject({ data: data(scene) });
      }
      for (const [what, holds] of Object.entries((await after?.(scene)) ?? {})) {
        expect(holds, what).toBe(true);
      }
    },
  );

  test(`${era.name} uses the routes of the contract rows`, () => {
    for (const row of known) {
      const route = era.routes.get(methodIn(era, row) ?? '') ?? '';
      // Asset uploads go to another host, and the old client takes a complete URL.
      if (row.methods.includes('repos.uploadReleaseAsset')) continue;
      expect(getShape(route), formatTitle(row)).toBe(getShape(row.row));
    }
  });

  test(`${era.name} covers ${count} contract rows`, () => {
    const inside = new Set(known.filter((row) => !row.notInContract).map((row) => row.row));
    expect(inside.size).toBe(count);
  });

  test.each(lists)(`${era.name} reads every page of %s`, async (method, parameters, length) => {
    const all = await createClient(era).paginate(method, { ...parameters });
    expect(all).toHaveLength(length(scene));
  });
});

test('@octokit/rest@16 sends the one-time password that the server requires', async () => {
  const { emulator, url } = scene;
  emulator.hosting.addUser('careful', { password: 'p', otp: '123456' });
  emulator.hosting.addToken('careful', ['repo']);
  const auth = { username: 'careful', password: 'p', on2fa: () => Promise.resolve('123456') };
  const client = oldEra.open(`${url}/api/v3`, auth);
  const { data } = await client.call('oauthAuthorizations.listAuthorizations', {});
  expect(data).toMatchObject([{ scopes: ['repo'] }]);
});
