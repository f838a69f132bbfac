import { beforeEach, describe, expect, test } from 'vitest';
import { createEmulator, type Emulator, type Repo } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { createUserResponse } from './hosting-worlds.js';
import { api, basic, origin, sendRequest } from './send-request.js';

// Checks every field of the hosting resources.

const auth = basic('ada', 'secret');
const now = '2014-06-01T12:00:00Z';
const hash = expect.stringMatching(/^[0-9a-f]{40}$/);
const here = `${api}/repos/lab/engine`;
const web = `${origin}/lab/engine`;
/** Blob SHAs computed by git. */
const [readmeSha, binarySha] = [
  '4a58007052a65fbc2fc3f910f2855f45a4058e74',
  'f76dd238ade08917e6712764a16a22005a50573d',
];
let emulator: Emulator;
let repo: Repo;
let head: string;

beforeEach(() => {
  emulator = createEmulator({ ...noon, seed: false });
  const { hosting } = emulator;
  hosting.addUser('ada', { password: 'secret', siteAdmin: true });
  hosting.addOrg('lab', ['ada']);
  repo = hosting.addRepo('lab', 'engine', {
    files: {
      'README.md': 'alpha\n',
      'src/a b.bin': Buffer.from([0]),
      link: { symlink: 'nowhere' },
      inner: { submodule: 'http://code.test/lab/inner.git', hosted: true },
      outer: { submodule: 'http://far.test/outer.git' },
    },
  });
  head = repo.refs.get('heads/main')?.sha ?? '';
});

const ada = createUserResponse('ada', 1);
const lab = createUserResponse('lab', 2, 'Organization');

const engine = {
  id: 4,
  owner: lab,
  name: 'engine',
  full_name: 'lab/engine',
  description: 'The engine of lab',
  private: false,
  fork: false,
  url: here,
  html_url: web,
  clone_url: `${web}.git`,
  git_url: 'git://code.test/lab/engine.git',
  ssh_url: 'git@code.test:lab/engine.git',
  svn_url: web,
  mirror_url: null,
  homepage: null,
  language: 'TypeScript',
  forks_count: 0,
  stargazers_count: 0,
  watchers_count: 0,
  size: 108,
  open_issues_count: 0,
  forks: 0,
  open_issues: 0,
  watchers: 0,
  default_branch: 'main',
  has_issues: true,
  has_wiki: true,
  has_downloads: true,
  pushed_at: now,
  created_at: now,
  updated_at: now,
  permissions: { admin: true, push: true, pull: true },
};

async function got(what: string, body?: unknown) {
  const { data, status } = await sendRequest(emulator, what, { auth, body });
  expect(status, what).toBeLessThan(300);
  return data;
}

test('the emulator returns all fields of users, organizations and repositories', async () => {
  expect(await got('GET /user')).toEqual(ada);
  expect(await got('GET /users/lab')).toEqual(lab);
  expect(await got('GET /orgs/lab')).toEqual({
    ...lab,
    url: `${api}/orgs/lab`,
    repos_url: `${api}/orgs/lab/repos`,
    events_url: `${api}/orgs/lab/events`,
    members_url: `${api}/orgs/lab/members{/member}`,
    public_members_url: `${api}/orgs/lab/public_members{/member}`,
  });
  expect(await got('GET /repos/lab/engine')).toEqual(engine);
  emulator.hosting.addStar(repo, 'ada', now);
  emulator.hosting.addPull(repo);
  emulator.hosting.addPull(repo, { state: 'closed' });
  emulator.hosting.addRepo('lab', 'copy', { forkOf: 'lab/engine' });
  expect(await got('GET /orgs/lab/repos')).toEqual([
    {
      ...engine,
      ...{ forks: 1, forks_count: 1, open_issues: 1, open_issues_count: 1 },
      ...{ stargazers_count: 1, watchers: 1, watchers_count: 1 },
    },
    expect.objectContaining({ full_name: 'lab/copy', fork: true, forks_count: 0 }),
  ]);
});

test('the emulator returns all fields of a pull request, its commit and its files', async () => {
  const { sha } = emulator.hosting.addPull(repo, { title: 'Go', body: 'Faster' }).head;
  const at = `${here}/pulls/1`;
  const issue = `${here}/issues/1`;
  const review = `${here}/pulls/comments/{number}`;
  const open = { ...engine, open_issues: 1, open_issues_count: 1 };
  expect(await got('GET /repos/lab/engine/pulls/1')).toEqual({
    id: 5,
    url: at,
    html_url: `${web}/pull/1`,
    diff_url: `${web}/pull/1.diff`,
    patch_url: `${web}/pull/1.patch`,
    issue_url: issue,
    commits_url: `${at}/commits`,
    review_comments_url: `${at}/comments`,
    review_comment_url: review,
    comments_url: `${issue}/comments`,
    statuses_url: `${here}/statuses/${sha}`,
    number: 1,
    state: 'open',
    title: 'Go',
    body: 'Faster',
    created_at: now,
    updated_at: now,
    closed_at: null,
    merged_at: null,
    merge_commit_sha: null,
    head: { label: 'lab:topic-1', ref: 'topic-1', sha, user: lab, repo: open },
    base: { label: 'lab:main', ref: 'main', sha: head, user: lab, repo: open },
    _links: {
      self: { href: at },
      html: { href: `${web}/pull/1` },
      issue: { href: issue },
      comments: { href: `${issue}/comments` },
      review_comments: { href: `${at}/comments` },
      review_comment: { href: review },
      commits: { href: `${at}/commits` },
      statuses: { href: `${here}/statuses/${sha}` },
    },
    user: lab,
  });
  const person = { name: 'lab', email: 'lab@example.com', date: now };
  const [commit, ...others] = await got('GET /repos/lab/engine/pulls/1/commits');
  expect(others).toEqual([]);
  expect(commit).toEqual({
    sha,
    commit: {
      author: person,
      committer: person,
      message: 'Go',
      tree: { sha: hash, url: `${here}/git/trees/${commit.commit.tree.sha}` },
      url: `${here}/git/commits/${sha}`,
      comment_count: 0,
    },
    url: `${here}/commits/${sha}`,
    html_url: `${web}/commit/${sha}`,
    comments_url: `${here}/commits/${sha}/comments`,
    author: lab,
    committer: lab,
    parents: [{ sha: head, url: `${here}/commits/${head}` }],
  });
  const file = (index: number) => ({
    sha: hash,
    filename: `src/file-${index}.ts`,
    status: 'modified',
    additions: 3,
    deletions: 1,
    changes: 4,
    patch: `@@ -1,1 +1,3 @@\n-export const part = 0;\n+export const part = 1;\n+export const file = ${index};\n+export default part;`,
    blob_url: `${web}/blob/${sha}/src/file-${index}.ts`,
    raw_url: `${web}/raw/${sha}/src/file-${index}.ts`,
    contents_url: `${here}/contents/src/file-${index}.ts?ref=${sha}`,
  });
  expect(await got('GET /repos/lab/engine/pulls/1/files')).toEqual([file(0), file(1)]);
  emulator.hosting.addComment(repo, 'Hm', { sha });
  for (const text of ['Else', 'where']) emulator.hosting.addComment(repo, text);
  expect(await got(`GET /repos/lab/engine/commits/${sha}`)).toMatchObject({
    commit: { comment_count: 1 },
    files: [{ filename: 'src/file-0.ts' }, { filename: 'src/file-1.ts' }],
  });
});

test('the emulator returns all fields of a release and its asset', async () => {
  const body = { tag_name: 'v1', name: 'One', body: 'Notes', target_commitish: head };
  const release = {
    url: `${here}/releases/5`,
    html_url: `${web}/releases/v1`,
    assets_url: `${here}/releases/5/assets`,
    upload_url: `${origin}/api/uploads/repos/lab/engine/releases/5/assets{?name}`,
    tarball_url: `${here}/tarball/v1`,
    zipball_url: `${here}/zipball/v1`,
    id: 5,
    tag_name: 'v1',
    target_commitish: head,
    name: 'One',
    body: 'Notes',
    draft: false,
    prerelease: false,
    created_at: now,
    published_at: now,
    author: ada,
    assets: [],
  };
  expect(await got('POST /repos/lab/engine/releases', body)).toEqual(release);
  const asset = {
    url: `${here}/releases/assets/6`,
    browser_download_url: `${web}/releases/download/v1/a%20b.txt`,
    id: 6,
    name: 'a b.txt',
    label: null,
    state: 'uploaded',
    content_type: 'text/plain',
    size: 2,
    download_count: 0,
    created_at: now,
    updated_at: now,
    uploader: ada,
  };
  const uploaded = await sendRequest(
    emulator,
    'POST /api/uploads/repos/lab/engine/releases/5/assets?name=a%20b.txt',
    { auth, body: 'hi', headers: { 'content-type': 'text/plain' } },
  );
  expect([uploaded.status, uploaded.headers.location]).toEqual([201, asset.url]);
  expect(uploaded.data).toEqual(asset);
  expect(await got('GET /repos/lab/engine/releases/5')).toEqual({ ...release, assets: [asset] });
  expect(await got('GET /repos/lab/engine/releases/latest')).toMatchObject({ id: 5 });
});

describe('/contents', () => {
  const entry = (path: string, type: string, sha: unknown, size: number, git = 'blobs') => {
    const self = `${here}/contents/${path.replace(' ', '%20')}?ref=main`;
    const page = `${web}/${git === 'trees' ? 'tree' : 'blob'}/main/${path.replace(' ', '%20')}`;
    const object = expect.stringMatching(new RegExp(`^${here}/git/${git}/[0-9a-f]{40}$`));
    return {
      type,
      name: path.split('/').at(-1),
      path,
      sha,
      size,
      url: self,
      html_url: page,
      git_url: object,
      _links: { self, git: object, html: page },
    };
  };
  const foreign = {
    ...entry('outer', 'submodule', hash, 0),
    git_url: null,
    html_url: null,
    _links: { self: `${here}/contents/outer?ref=main`, git: null, html: null },
  };

  test('GET /contents/:path returns all fields of a directory and its entries', async () => {
    const at = '/repos/lab/engine/contents';
    expect(await got(`GET ${at}/`)).toEqual([
      entry('README.md', 'file', readmeSha, 6),
      entry('inner', 'file', hash, 0),
      entry('link', 'symlink', hash, 7),
      { ...foreign, type: 'file' },
      entry('src', 'dir', hash, 0, 'trees'),
    ]);
    expect(await got(`GET ${at}/src`)).toEqual([entry('src/a b.bin', 'file', binarySha, 1)]);
    const readme = {
      ...entry('README.md', 'file', readmeSha, 6),
      encoding: 'base64',
      content: 'YWxwaGEK',
    };
    expect(await got(`GET ${at}/README.md`)).toEqual(readme);
    expect(await got('GET /repos/lab/engine/readme')).toEqual(readme);
    expect(await got(`GET ${at}/link`)).toEqual({
      ...entry('link', 'symlink', hash, 7),
      target: 'nowhere',
    });
    expect(await got(`GET ${at}/inner`)).toEqual({
      ...entry('inner', 'submodule', hash, 0),
      submodule_git_url: 'http://code.test/lab/inner.git',
    });
    expect(await got(`GET ${at}/outer`)).toEqual({
      ...foreign,
      submodule_git_url: 'http://far.test/outer.git',
    });
  });
});

test('the emulator returns all fields of a commit comment for each media type', async () => {
  const body = '**Big** & <small> _x_ `y`';
  const created = await sendRequest(emulator, `POST /repos/lab/engine/commits/${head}/comments`, {
    auth,
    body: { body, path: 'README.md', position: 2, line: 1 },
  });
  const comment = {
    url: `${here}/comments/5`,
    html_url: `${web}/commit/${head}#commitcomment-5`,
    id: 5,
    user: ada,
    position: 2,
    line: 1,
    path: 'README.md',
    commit_id: head,
    created_at: now,
    updated_at: now,
  };
  const text = 'Big & <small> x y';
  const html = '<p><strong>Big</strong> &amp; &lt;small&gt; _x_ `y`</p>';
  expect([created.status, created.headers.location]).toEqual([201, comment.url]);
  expect(created.data).toEqual({ ...comment, body });
  for (const [word, bodies] of [
    ['service.commitcomment.raw+json', { body }],
    ['service.v3.commitcomment.html+json', { body_html: html }],
    ['service.commitcomment.full', { body, body_text: text, body_html: html }],
    ['servicecommitcomment.text+json', { body }],
    ['service.text+json.full', { body, body_text: text, body_html: html }],
  ] as const) {
    const headers = { accept: `application/vnd.${word}` };
    const { data } = await sendRequest(emulator, 'GET /repos/lab/engine/comments/5', {
      auth,
      headers,
    });
    expect(data, word).toEqual({ ...comment, ...bodies });
  }
});

test('the emulator returns all fields of hook services, the API root and the rate limit', async () => {
  const services = await got('GET /hooks');
  expect(services[0]).toEqual({
    name: 'email',
    events: ['push'],
    supported_events: ['public', 'push'],
    schema: [
      ['string', 'address'],
      ['password', 'secret'],
      ['boolean', 'send_from_author'],
    ],
  });
  expect(services.at(-1).supported_events).not.toContain('*');
  expect(await got('GET /')).toEqual({
    authorizations_url: `${api}/authorizations`,
    current_user_url: `${api}/user`,
    hooks_url: `${api}/hooks`,
    hub_url: `${api}/hub`,
    organization_url: `${api}/orgs/{org}`,
    rate_limit_url: `${api}/rate_limit`,
    repository_url: `${api}/repos/{owner}/{repo}`,
    user_url: `${api}/users/{user}`,
  });
  const reset = Date.parse(now) / 1000 + 3600;
  const core = { limit: 5000, remaining: 4998, reset };
  expect(await got('GET /rate_limit')).toEqual({
    resources: { core, search: { limit: 30, remaining: 30, reset } },
    rate: core,
  });
});
