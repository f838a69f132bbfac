import { beforeEach, describe, expect, test } from 'vitest';
import { createEmulator, type Emulator, type Repo } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { createUserResponse } from './hosting-worlds.js';
import { api, basic, origin, sendRequest } from './send-request.js';

// Checks every field of users, organizations, repositories, pull requests, releases and contents.

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

  test('PUT and DELETE /contents/:path return all fields of the file and its commit', async () => {
    const at = '/repos/lab/engine/contents/a%20b.txt';
    const [eve, bob] = ['eve', 'bob'].map((name) => ({ name, email: `${name}@x.test` }));
    const body = { message: 'Say hi', content: 'aGVs\nbG8K', committer: eve, author: bob };
    const created = await sendRequest(emulator, `PUT ${at}`, { auth, body });
    expect([created.status, created.headers.location]).toEqual([201, `${here}/contents/a%20b.txt`]);
    const sha = 'ce013625030ba8dba906f756967f9e9ca394464a'; // Git computes this SHA for 'hello' and a line break.
    const first = created.data.commit.sha;
    const commit = (own: string, parent: string, tree: string) => ({
      sha: own,
      url: `${here}/git/commits/${own}`,
      html_url: `${web}/commit/${own}`,
      tree: { sha: tree, url: `${here}/git/trees/${tree}` },
      parents: [
        {
          sha: parent,
          url: `${here}/git/commits/${parent}`,
          html_url: `${web}/commit/${parent}`,
        },
      ],
    });
    expect(created.data).toEqual({
      content: entry('a b.txt', 'file', sha, 6),
      commit: {
        ...commit(first, head, created.data.commit.tree.sha),
        author: { ...bob, date: now },
        committer: { ...eve, date: now },
        message: 'Say hi',
      },
    });
    const self = { name: 'ada', email: 'ada@example.com', date: now };
    const gone = await got(`DELETE ${at}`, { message: 'Hush', sha });
    const second = gone.commit.sha;
    expect(gone).toEqual({
      content: null,
      commit: {
        ...commit(second, first, gone.commit.tree.sha),
        author: self,
        committer: self,
        message: 'Hush',
      },
    });
    expect(new Set([head, first, second]).size).toBe(3);
    expect(repo.refs.get('heads/main')?.sha).toBe(second);
  });
});
