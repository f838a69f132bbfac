import {
  type Asset,
  type AuthorizationRecord,
  type CommentRecord,
  type DownloadRecord,
  type HookRecord,
  type PagesBuildRecord,
  type Pull,
  type ReleaseRecord,
  type Repo,
  seeded,
  type TeamRecord,
} from '../../src/testing/index.js';
import { found, type Scene } from './row.js';

// Expected responses, derived from the emulator's state without its rendering code.

const full = (repo: Repo) => `${repo.owner}/${repo.name}`;
const api = (scene: Scene) => `${scene.url}/api/v3`;

export function user(scene: Scene, login: string) {
  const { id, type, siteAdmin } = found(scene.emulator.hosting.state.account(login), login);
  return { login, id, type, site_admin: siteAdmin, url: `${api(scene)}/users/${login}` };
}

export function repository(scene: Scene, repo: Repo) {
  return {
    id: repo.id,
    owner: user(scene, repo.owner),
    name: repo.name,
    full_name: full(repo),
    description: repo.description,
    private: repo.isPrivate,
    fork: repo.forkOf !== undefined,
    language: repo.language,
    default_branch: repo.defaultBranch,
    stargazers_count: repo.stargazers.size,
    open_issues_count: repo.pulls.filter((pull) => pull.state === 'open').length,
    created_at: repo.createdAt,
    url: `${api(scene)}/repos/${full(repo)}`,
  };
}

export function authorization(scene: Scene, record: AuthorizationRecord) {
  const app = scene.emulator.hosting.state.applications.get(record.clientId ?? '');
  return {
    id: record.id,
    url: `${api(scene)}/authorizations/${record.id}`,
    token: record.token,
    scopes: record.scopes,
    note: record.note,
    note_url: record.noteUrl,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
    ...(app ? { app: { name: app.name, url: app.url, client_id: app.clientId } } : {}),
  };
}

export function teamSummary(scene: Scene, team: TeamRecord) {
  return { id: team.id, name: team.name, url: `${api(scene)}/teams/${team.id}` };
}

export function team(scene: Scene, record: TeamRecord) {
  const { login, id } = user(scene, record.org);
  return {
    ...teamSummary(scene, record),
    permission: record.permission,
    members_count: record.members.size,
    repos_count: record.repos.size,
    organization: { login, id, url: `${api(scene)}/orgs/${login}` },
  };
}

export function asset(scene: Scene, record: Asset) {
  return {
    id: record.id,
    name: record.name,
    label: record.label,
    state: 'uploaded',
    content_type: record.contentType,
    size: record.size,
    download_count: record.downloads,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
    uploader: user(scene, record.login),
  };
}

export function release(scene: Scene, record: ReleaseRecord) {
  return {
    id: record.id,
    url: `${api(scene)}/repos/${full(scene.rocket)}/releases/${record.id}`,
    tag_name: record.tagName,
    target_commitish: record.targetCommitish,
    name: record.name,
    body: record.body,
    draft: record.draft,
    prerelease: record.prerelease,
    created_at: record.createdAt,
    published_at: record.publishedAt,
    author: user(scene, record.login),
    assets: record.assets.map((each) => asset(scene, each)),
  };
}

export function pull(scene: Scene, record: Pull) {
  const url = `${api(scene)}/repos/${full(scene.rocket)}/pulls/${record.number}`;
  return {
    number: record.number,
    url,
    title: record.title,
    body: record.body,
    state: record.state,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
    closed_at: record.closedAt,
    merged_at: record.mergedAt,
    user: user(scene, record.login),
    head: { ref: record.head.ref, sha: record.head.sha, user: user(scene, record.head.login) },
    base: { ref: record.base.ref, sha: record.base.sha, repo: repository(scene, scene.rocket) },
    _links: { self: { href: url } },
  };
}

export function comment(scene: Scene, record: CommentRecord): object {
  return {
    id: record.id,
    url: `${api(scene)}/repos/${full(scene.rocket)}/comments/${record.id}`,
    path: record.path,
    position: record.position,
    line: record.line,
    commit_id: record.sha,
    user: user(scene, record.login),
    created_at: record.createdAt,
    updated_at: record.updatedAt,
    body: record.body,
  };
}

/** Returns a Git reference. @param name Name without `refs/`. */
export function reference(scene: Scene, name: string) {
  const { sha, type } = found(scene.rocket.refs.get(name), name);
  const git = `${api(scene)}/repos/${full(scene.rocket)}/git`;
  return {
    ref: `refs/${name}`,
    url: `${git}/refs/${name}`,
    object: { sha, type, url: `${git}/${type}s/${sha}` },
  };
}

/** Returns the references whose names start with a prefix, sorted by name. */
export function references(scene: Scene, start = '') {
  const names = [...scene.rocket.refs.keys()].filter((name) => name.startsWith(start));
  return names.sort((a, b) => (a < b ? -1 : 1)).map((name) => reference(scene, name));
}

/** Returns a file on a branch. Default: the default branch. */
export function file(scene: Scene, path: string, branch = scene.rocket.defaultBranch) {
  const entry = found(scene.rocket.branches.get(branch)?.get(path), path);
  const rest =
    entry.kind === 'file'
      ? { encoding: 'base64', size: entry.bytes.length }
      : entry.kind === 'symlink'
        ? { target: entry.target }
        : { submodule_git_url: entry.url, html_url: null, git_url: null };
  return { type: entry.kind, name: path.split('/').at(-1), path, sha: entry.sha, ...rest };
}

/** Returns the default branch's latest commit, as in the response to a change. */
export function head(scene: Scene) {
  const { refs, commits, defaultBranch } = scene.rocket;
  const commit = found(commits.get(refs.get(`heads/${defaultBranch}`)?.sha ?? ''), defaultBranch);
  const { sha, message, parents, date } = commit;
  return { sha, message, parents: parents.map((parent) => ({ sha: parent })), author: { date } };
}

export function hook(scene: Scene, record: HookRecord) {
  const { secret, ...config } = record.config;
  return {
    id: record.id,
    url: `${api(scene)}/repos/${full(scene.rocket)}/hooks/${record.id}`,
    name: record.name,
    active: record.active,
    events: record.events,
    config: secret === undefined ? config : { ...config, secret: '********' },
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}

export function download(scene: Scene, record: DownloadRecord) {
  return {
    id: record.id,
    url: `${api(scene)}/repos/${full(scene.rocket)}/downloads/${record.id}`,
    name: record.name,
    description: record.description,
    size: record.size,
    download_count: record.downloads,
    content_type: record.contentType,
  };
}

export function build(scene: Scene, record: PagesBuildRecord) {
  return {
    url: `${api(scene)}/repos/${full(scene.rocket)}/pages/builds/${record.id}`,
    status: record.status,
    error: { message: record.error },
    pusher: user(scene, record.login),
    commit: record.commit,
    duration: record.duration,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
  };
}

/** Returns the repositories that a user starred, newest repository first. */
export function starredBy(scene: Scene, login: string): Repo[] {
  const repos = [...scene.emulator.hosting.state.repos.values()];
  return repos.filter((repo) => repo.stargazers.has(login)).sort((a, b) => b.id - a.id);
}

/** Returns the seed user's tokens. */
export function ownTokens(scene: Scene): AuthorizationRecord[] {
  const tokens = [...scene.emulator.hosting.state.tokens.values()];
  return tokens.filter((record) => record.login === seeded.login);
}
