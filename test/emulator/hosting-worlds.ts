import { createEmulator, type Emulator, type Repo } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { api, basic, origin, sendRequest } from './send-request.js';

export const auth = basic('ada', 'x');

export const here = '/repos/lab/engine';

/**
 * Creates a repository with a single commit. Ada, whose credentials are `auth`, owns the
 * repository's organization.
 */
export function engine() {
  const emulator = createEmulator({ ...noon, seed: false });
  emulator.hosting.addUser('ada', { password: 'x', siteAdmin: true });
  emulator.hosting.addOrg('lab', ['ada']);
  return { emulator, repo: emulator.hosting.addRepo('lab', 'engine') };
}

/** Returns a reference's SHA. */
export function headIn(repo: Repo, name = 'heads/main'): string {
  return repo.refs.get(name)?.sha ?? '';
}

/** Sends a GET to a path below the repository's API URL. */
export function read(emulator: Emulator, path: string, accept = '*/*') {
  return sendRequest(emulator, `GET ${here}${path}`, { auth, headers: { accept } });
}

/** Returns the seed's repository acme/rocket. */
export function findRocket(emulator: Emulator): Repo {
  const repo = emulator.hosting.state.repo('acme', 'rocket');
  if (!repo) throw new Error('no rocket');
  return repo;
}

/**
 * Creates an emulator with one user, Ada, who has a token and owns the organization `lab` with one
 * repository. Also adds an OAuth application.
 */
export function adasLab() {
  const emulator = createEmulator({ ...noon, seed: false });
  const { hosting } = emulator;
  hosting.addUser('ada', { password: 'a:b' });
  hosting.addOrg('lab', ['ada']);
  hosting.addRepo('lab', 'engine');
  hosting.addToken('ada', ['repo', 'gist'], { token: 't' });
  hosting.addApplication('App', { clientId: 'id', clientSecret: 's' });
  return emulator;
}

/** IDs and SHAs, keyed by the record's name. */
export type Names = Readonly<Record<string, string | number>>;

/**
 * Creates an organization with a public and a private repository. Each user is named after their
 * role.
 */
export function laboratory() {
  const emulator = createEmulator({ ...noon, seed: false });
  const { hosting } = emulator;
  for (const login of ['stranger', 'reader', 'writer', 'admin', 'owner']) {
    hosting.addUser(login, { password: 'x' });
  }
  hosting.addUser('boss', { password: 'x', siteAdmin: true });
  hosting.addOrg('lab', ['owner']);
  const { clientId } = hosting.addApplication('App');
  const [engine, vault] = ['engine', 'vault'].map((name) => {
    const repo = hosting.addRepo('lab', name, {
      isPrivate: name === 'vault',
      files: { file: 'x' },
    });
    repo.collaborators.set('reader', 'pull').set('admin', 'admin');
    hosting.addPull(repo);
    hosting.addPull(repo, { login: 'stranger' });
    const release = hosting.addRelease(repo, 'v1');
    const draft = hosting.addRelease(repo, 'v2', { draft: true });
    const config = { url: 'http://far.test/' };
    hosting.addPagesBuild(repo);
    hosting.addRef(repo, 'heads/topic');
    hosting.addRef(repo, 'heads/h');
    const names: Names = {
      release: release.id,
      draft: draft.id,
      asset: hosting.addAsset(release, 'a').id,
      comment: hosting.addComment(repo, 'Hm').id,
      hook: hosting.addHook(repo, config, { events: ['watch'] }).id,
      download: hosting.addDownload(repo, 'd').id,
      sha: repo.refs.get('heads/main')?.sha ?? '',
      file: repo.branches.get('main')?.get('file')?.sha ?? '',
    };
    return names;
  });
  const repos = ['lab/engine', 'lab/vault'];
  const crew = hosting.addTeam('lab', 'Crew', { permission: 'push', members: ['writer'], repos });
  const heads = hosting.addTeam('lab', 'Heads', { permission: 'admin', members: ['admin'] });
  const [owners] = hosting.state.listTeams('lab');
  const own = hosting.addToken('owner', ['gist']).id;
  const people = { crew: crew.id, heads: heads.id, owners: owners?.id ?? 0, clientId, own };
  return { emulator, engine: { ...people, ...engine }, vault: { ...people, ...vault } };
}

/** Replaces each `{name}` in text with the record's ID or SHA. */
export const filled = (text: string, names: Names) =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(names[name] ?? whole));

/** Returns a user as it appears in responses. `ada` is a site administrator. */
export const createUserResponse = (login: string, id: number, type = 'User') => ({
  login,
  id,
  avatar_url: `${origin}/avatars/${id}`,
  gravatar_id: '',
  url: `${api}/users/${login}`,
  html_url: `${origin}/${login}`,
  followers_url: `${api}/users/${login}/followers`,
  following_url: `${api}/users/${login}/following{/other_user}`,
  gists_url: `${api}/users/${login}/gists{/gist_id}`,
  starred_url: `${api}/users/${login}/starred{/owner}{/repo}`,
  subscriptions_url: `${api}/users/${login}/subscriptions`,
  organizations_url: `${api}/users/${login}/orgs`,
  repos_url: `${api}/users/${login}/repos`,
  events_url: `${api}/users/${login}/events{/privacy}`,
  received_events_url: `${api}/users/${login}/received_events`,
  type,
  site_admin: login === 'ada',
});
