import { found, here, type Row, type Scene } from '../row.js';
import { file, head, pull, repository, starredBy, user } from '../views.js';

const rocketPull = ({ rocket }: Scene, number: number) =>
  found(rocket.pulls[number - 1], `pull ${number}`);
const open = ({ rocket }: Scene) =>
  found(
    rocket.pulls.find((each) => each.state === 'open'),
    'open pull',
  );

export const pulls: readonly Row[] = [
  {
    row: 'GET /repos/:owner/:repo/pulls',
    methods: ['pulls.list'],
    parameters: { ...here, state: 'closed', per_page: 100 },
    status: 200,
    data: (scene) => {
      const closed = scene.rocket.pulls.filter((each) => each.state === 'closed');
      closed.sort((a, b) => b.createdAt.localeCompare(a.createdAt) || b.number - a.number);
      return closed.slice(0, 100).map((each) => pull(scene, each));
    },
  },
  {
    row: 'GET /repos/:owner/:repo/pulls/:number',
    methods: ['pulls.get'],
    parameters: { ...here, pull_number: 9 },
    status: 200,
    data: (scene) => pull(scene, rocketPull(scene, 9)),
  },
  {
    row: 'POST /repos/:owner/:repo/pulls',
    notInContract: true,
    methods: ['pulls.create'],
    parameters: { ...here, title: 'New', head: 'feature/part-1', base: 'main' },
    status: 201,
    data: (scene) => pull(scene, rocketPull(scene, 251)),
  },
  {
    row: 'PATCH /repos/:owner/:repo/pulls/:number',
    notInContract: true,
    methods: ['pulls.update'],
    parameters: { ...here, pull_number: 3, title: 'Other' },
    status: 200,
    data: (scene) => pull(scene, rocketPull(scene, 3)),
    after: (scene) => ({ 'the title is updated': rocketPull(scene, 3).title === 'Other' }),
  },
  {
    row: 'PUT /repos/:owner/:repo/pulls/:number/merge',
    notInContract: true,
    methods: ['pulls.merge'],
    parameters: (scene) => ({ ...here, pull_number: open(scene).number }),
    status: 200,
    data: () => ({ merged: true }),
  },
];

const contentMethods = ['repos.getContent', 'repos.getContents'];
const changeMethods = ['repos.createOrUpdateFileContents', 'repos.createOrUpdateFile'];
const getSha = ({ rocket }: Scene, path: string) => rocket.branches.get('main')?.get(path)?.sha;

function content(path: string): Row {
  return {
    row: 'GET /repos/:owner/:repo/contents/:path',
    how: path,
    methods: contentMethods,
    parameters: { ...here, path },
    status: 200,
    data: (scene) => file(scene, path),
  };
}

export const contents: readonly Row[] = [
  {
    row: 'GET /repos/:owner/:repo/readme',
    methods: ['repos.getReadme'],
    parameters: here,
    status: 200,
    data: (scene) => file(scene, 'README.md'),
  },
  content('docs/a#b?.md'),
  content('dangling'),
  content('engine'),
  {
    row: 'GET /repos/:owner/:repo/contents/:path',
    how: 'a directory',
    methods: contentMethods,
    parameters: { ...here, path: 'docs' },
    status: 200,
    data: (scene) => {
      const paths = [...(scene.rocket.branches.get('main')?.keys() ?? [])];
      const inside = paths
        .filter((path) => path.startsWith('docs/'))
        .sort((a, b) => (a < b ? -1 : 1));
      return inside.map((path) => ({ type: 'file', path, sha: getSha(scene, path) }));
    },
  },
  {
    row: 'PUT /repos/:owner/:repo/contents/:path',
    methods: changeMethods,
    parameters: { ...here, path: 'new/file.txt', message: 'Add', content: 'aGk=' },
    status: 201,
    data: (scene) => {
      const { encoding: _, ...entry } = { encoding: '', ...file(scene, 'new/file.txt') };
      return { content: entry, commit: head(scene) };
    },
  },
  {
    row: 'PUT /repos/:owner/:repo/contents/:path (update)',
    methods: changeMethods,
    parameters: (scene) => ({
      ...here,
      path: 'README.md',
      message: 'Change',
      content: 'aGk=',
      sha: getSha(scene, 'README.md'),
      committer: { name: 'Mona', email: 'mona@example.com' },
    }),
    status: 200,
    data: (scene) => ({
      content: { path: 'README.md', sha: getSha(scene, 'README.md'), size: 2 },
      commit: { ...head(scene), committer: { name: 'Mona', email: 'mona@example.com' } },
    }),
  },
  {
    row: 'DELETE /repos/:owner/:repo/contents/:path',
    notInContract: true,
    methods: ['repos.deleteFile'],
    parameters: (scene) => ({
      ...here,
      path: 'README.md',
      message: 'Remove',
      sha: getSha(scene, 'README.md'),
    }),
    status: 200,
    data: (scene) => ({ content: null, commit: head(scene) }),
    after: (scene) => ({ 'the file is deleted': getSha(scene, 'README.md') === undefined }),
  },
];

const hers = { owner: 'mona', repo: 'project-1' };
const isStarred = ({ emulator }: Scene, { owner, repo }: typeof hers) =>
  emulator.hosting.state.repo(owner, repo)?.stargazers.has('mona') === true;

export const starring: readonly Row[] = [
  {
    row: 'GET /repos/:owner/:repo/stargazers',
    methods: ['activity.listStargazersForRepo'],
    parameters: { ...here, per_page: 100 },
    status: 200,
    data: (scene) =>
      [...scene.rocket.stargazers.keys()].slice(0, 100).map((login) => user(scene, login)),
  },
  {
    row: 'GET /users/:username/starred',
    methods: ['activity.listReposStarredByUser'],
    parameters: { username: 'mona', direction: 'asc', per_page: 100 },
    status: 200,
    data: (scene) =>
      starredBy(scene, 'mona')
        .reverse()
        .map((repo) => repository(scene, repo)),
  },
  {
    row: 'GET /user/starred',
    methods: ['activity.listReposStarredByAuthenticatedUser'],
    parameters: { per_page: 100 },
    status: 200,
    data: (scene) => starredBy(scene, 'mona').map((repo) => repository(scene, repo)),
  },
  {
    row: 'PUT /user/starred/:owner/:repo',
    methods: ['activity.starRepoForAuthenticatedUser', 'activity.starRepo'],
    parameters: here,
    status: 204,
    after: (scene) => ({ 'the repository is starred': isStarred(scene, here) }),
  },
  {
    row: 'GET /user/starred/:owner/:repo',
    methods: ['activity.checkRepoIsStarredByAuthenticatedUser', 'activity.checkStarringRepo'],
    parameters: hers,
    status: 204,
  },
  {
    row: 'DELETE /user/starred/:owner/:repo',
    methods: ['activity.unstarRepoForAuthenticatedUser', 'activity.unstarRepo'],
    parameters: hers,
    status: 204,
    after: (scene) => ({ 'the repository is not starred': !isStarred(scene, hers) }),
  },
];

export const rateLimit: readonly Row[] = [
  {
    row: 'GET /rate_limit',
    notInContract: true,
    methods: ['rateLimit.get'],
    before: ({ emulator }) => emulator.hosting.setRateLimit(1234),
    parameters: {},
    status: 200,
    data: () => ({ resources: { core: { limit: 1234, remaining: 1234 } } }),
  },
];
