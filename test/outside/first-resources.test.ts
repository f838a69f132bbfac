import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createEmulator, type Emulator, seeded } from '../../src/testing/index.js';
import { type ForeignClient, newClient, oldClient } from './octokits.js';

// Independent clients of two eras against the emulator: what they parse must equal its state.

const { owner, repo } = seeded;

interface Row {
  readonly row: string;
  /** Names of the method, newest first. */
  readonly methods: readonly string[];
  readonly parameters: object | ((emulator: Emulator) => object);
  readonly status: number;
  /** What must be found in the data. */
  readonly data?: unknown;
}

const rocket = (emulator: Emulator) => {
  const found = emulator.hosting.state.repo(owner, repo);
  if (!found) throw new Error('the seed world has no rocket');
  return found;
};

const blob = (emulator: Emulator, path: string) =>
  rocket(emulator).branches.get('main')?.get(path)?.sha;

const rows: readonly Row[] = [
  {
    row: 'pulls.list',
    methods: ['pulls.list'],
    parameters: { owner, repo, state: 'closed', per_page: 2 },
    status: 200,
    data: [{ state: 'closed' }, { state: 'closed' }],
  },
  {
    row: 'pulls.get',
    methods: ['pulls.get'],
    parameters: { owner, repo, pull_number: 9 },
    status: 200,
    data: { number: 9, title: 'Improve the rocket, part 9', body: null },
  },
  {
    row: 'pulls.create',
    methods: ['pulls.create'],
    parameters: { owner, repo, title: 'New', head: 'topic', base: 'main' },
    status: 201,
    data: { number: 251, state: 'open' },
  },
  {
    row: 'pulls.update',
    methods: ['pulls.update'],
    parameters: { owner, repo, pull_number: 3, title: 'Other' },
    status: 200,
    data: { title: 'Other' },
  },
  {
    row: 'pulls.listCommits',
    methods: ['pulls.listCommits'],
    parameters: { owner, repo, pull_number: 3 },
    status: 200,
    data: [{ commit: { message: 'Improve the rocket, part 3' } }],
  },
  {
    row: 'pulls.listFiles',
    methods: ['pulls.listFiles'],
    parameters: { owner, repo, pull_number: 5 },
    status: 200,
    data: [{ filename: 'src/file-0.ts' }],
  },
  {
    row: 'pulls.isMerged',
    methods: ['pulls.checkIfMerged'],
    parameters: (e) => ({
      owner,
      repo,
      pull_number: rocket(e).pulls.find((pull) => pull.mergedAt)?.number,
    }),
    status: 204,
  },
  {
    row: 'pulls.merge',
    methods: ['pulls.merge'],
    parameters: (e) => ({
      owner,
      repo,
      pull_number: rocket(e).pulls.find((pull) => pull.state === 'open')?.number,
    }),
    status: 200,
    data: { merged: true },
  },
  {
    row: 'releases.list',
    methods: ['repos.listReleases'],
    parameters: { owner, repo, per_page: 1 },
    status: 200,
    data: [{ tag_name: 'v0.40.0' }],
  },
  {
    row: 'releases.get',
    methods: ['repos.getRelease'],
    parameters: (e) => ({ owner, repo, release_id: rocket(e).releases[0]?.id }),
    status: 200,
    data: { tag_name: 'v0.1.0', assets: [] },
  },
  {
    row: 'releases.create',
    methods: ['repos.createRelease'],
    parameters: { owner, repo, tag_name: 'v9', draft: true },
    status: 201,
    data: { draft: true, published_at: null },
  },
  {
    row: 'releases.update',
    methods: ['repos.updateRelease'],
    parameters: (e) => ({ owner, repo, release_id: rocket(e).releases[12]?.id, draft: false }),
    status: 200,
    data: { draft: false, published_at: '2014-06-01T12:00:00Z' },
  },
  {
    row: 'releases.delete',
    methods: ['repos.deleteRelease'],
    parameters: (e) => ({ owner, repo, release_id: rocket(e).releases[0]?.id }),
    status: 204,
  },
  {
    row: 'releases.getLatest',
    methods: ['repos.getLatestRelease'],
    parameters: { owner, repo },
    status: 200,
    data: { tag_name: 'v0.40.0' },
  },
  {
    row: 'releases.getByTag',
    methods: ['repos.getReleaseByTag'],
    parameters: { owner, repo, tag: 'v0.2.0' },
    status: 200,
    data: { tag_name: 'v0.2.0' },
  },
  {
    row: 'releases.uploadAsset',
    methods: ['repos.uploadReleaseAsset'],
    parameters: (e) => ({
      owner,
      repo,
      release_id: rocket(e).releases[0]?.id,
      url: `BASE/api/uploads/repos/${owner}/${repo}/releases/${rocket(e).releases[0]?.id}/assets{?name,label}`,
      baseUrl: 'BASE/api',
      name: 'a.txt',
      data: 'text',
      file: 'text',
      headers: { 'content-type': 'text/plain', 'content-length': 4 },
    }),
    status: 201,
    data: { name: 'a.txt', size: 4, state: 'uploaded' },
  },
  {
    row: 'releases.listAssets',
    methods: ['repos.listReleaseAssets', 'repos.listAssetsForRelease'],
    parameters: (e) => ({ owner, repo, release_id: rocket(e).releases[0]?.id }),
    status: 200,
    data: [],
  },
  {
    row: 'contents.getReadme',
    methods: ['repos.getReadme'],
    parameters: { owner, repo },
    status: 200,
    data: { name: 'README.md', encoding: 'base64' },
  },
  {
    row: 'contents.get file',
    methods: ['repos.getContent', 'repos.getContents'],
    parameters: { owner, repo, path: 'src/index.ts' },
    status: 200,
    data: { type: 'file', size: 28 },
  },
  {
    row: 'contents.get symlink',
    methods: ['repos.getContent', 'repos.getContents'],
    parameters: { owner, repo, path: 'dangling' },
    status: 200,
    data: { type: 'symlink', target: 'nowhere.txt' },
  },
  {
    row: 'contents.get submodule',
    methods: ['repos.getContent', 'repos.getContents'],
    parameters: { owner, repo, path: 'engine' },
    status: 200,
    data: { type: 'submodule', html_url: null },
  },
  {
    row: 'contents.create',
    methods: ['repos.createOrUpdateFileContents', 'repos.createOrUpdateFile'],
    parameters: { owner, repo, path: 'new.txt', message: 'Add', content: 'aGk=' },
    status: 201,
    data: { content: { path: 'new.txt', size: 2 } },
  },
  {
    row: 'contents.update',
    methods: ['repos.createOrUpdateFileContents', 'repos.createOrUpdateFile'],
    parameters: (e) => ({
      owner,
      repo,
      path: 'README.md',
      message: 'Change',
      content: 'aGk=',
      sha: blob(e, 'README.md'),
    }),
    status: 200,
    data: { content: { path: 'README.md' } },
  },
  {
    row: 'contents.delete',
    methods: ['repos.deleteFile'],
    parameters: (e) => ({
      owner,
      repo,
      path: 'README.md',
      message: 'Remove',
      sha: blob(e, 'README.md'),
    }),
    status: 200,
    data: { content: null },
  },
  {
    row: 'starring.listStargazers',
    methods: ['activity.listStargazersForRepo'],
    parameters: { owner, repo, per_page: 1 },
    status: 200,
    data: [{ login: 'ada-0' }],
  },
  {
    row: 'starring.listStarredBy',
    methods: ['activity.listReposStarredByUser'],
    parameters: { username: 'mona', per_page: 1, direction: 'asc' },
    status: 200,
    data: [{ name: 'project-1' }],
  },
  {
    row: 'starring.listStarred',
    methods: ['activity.listReposStarredByAuthenticatedUser'],
    parameters: { per_page: 1 },
    status: 200,
    data: [{ name: 'project-40' }],
  },
  {
    row: 'starring.star',
    methods: ['activity.starRepoForAuthenticatedUser', 'activity.starRepo'],
    parameters: { owner, repo },
    status: 204,
  },
  {
    row: 'starring.isStarred',
    methods: ['activity.checkRepoIsStarredByAuthenticatedUser', 'activity.checkStarringRepo'],
    parameters: { owner: 'mona', repo: 'project-1' },
    status: 204,
  },
  {
    row: 'starring.unstar',
    methods: ['activity.unstarRepoForAuthenticatedUser', 'activity.unstarRepo'],
    parameters: { owner: 'mona', repo: 'project-1' },
    status: 204,
  },
  {
    row: 'rateLimit.get',
    methods: ['rateLimit.get'],
    parameters: {},
    status: 200,
    data: { resources: { core: { limit: 5000 } } },
  },
];

let emulator: Emulator;
let url: string;
const clients = new Map<string, ForeignClient>();

beforeEach(async () => {
  emulator = createEmulator({ vendor: 'github' });
  const address = await emulator.listen();
  url = address.url;
  const auth = `token ${seeded.token}`;
  clients.set('16', oldClient(address.hostingUrl, auth));
  clients.set('22', await newClient(address.hostingUrl, seeded.token));
});

afterEach(() => emulator.close());

function client(era: string): ForeignClient {
  const found = clients.get(era);
  if (!found) throw new Error(`no octokit ${era}`);
  return found;
}

/** Places that are only known once the emulator listens. */
function placed(parameters: object): object {
  return JSON.parse(JSON.stringify(parameters).replaceAll('BASE', url));
}

describe.each(['16', '22'])('@octokit/rest@%s is content with', (era) => {
  test.each(rows.map((row) => [row.row, row] as const))('%s', async (_name, row) => {
    const { parameters } = row;
    const given = placed(typeof parameters === 'function' ? parameters(emulator) : parameters);
    const answers = row.methods.map((method) => client(era).call(method, given));
    const answer = answers.find((each) => each !== undefined);
    if (!answer) throw new Error(`it knows none of ${row.methods.join(', ')}`);
    const { status, data } = await answer;
    expect(status).toBe(row.status);
    if (row.data !== undefined) expect(data).toMatchObject(row.data as object);
  });

  test('every page of a list', async () => {
    const pulls = await client(era).paginate('pulls.list', {
      owner,
      repo,
      state: 'all',
      per_page: 100,
    });
    expect(pulls).toHaveLength(250);
  });

  test('404, 422 and 401', async () => {
    const get = client(era).call('pulls.get', { owner, repo, pull_number: 9999 });
    await expect(get).rejects.toMatchObject({ status: 404 });
    const create = client(era).call('repos.createRelease', { owner, repo, tag_name: 'v0.1.0' });
    await expect(create).rejects.toMatchObject({ status: 422 });
    const stranger =
      era === '16'
        ? oldClient(`${url}/api/v3`, 'token wrong')
        : await newClient(`${url}/api/v3`, 'wrong');
    await expect(stranger.call('pulls.list', { owner, repo })).rejects.toMatchObject({
      status: 401,
    });
  });
});
