import { beforeEach, describe, expect, test } from 'vitest';
import {
  ContentEntry,
  PullRequest,
  Release,
  ReleaseAsset,
  Repository,
} from '../../src/hosting/index.js';
import { createEmulator, type Emulator } from '../../src/testing/index.js';
import { basic, sendRequest, validate } from './send-request.js';

let emulator: Emulator;
let auth: string;

beforeEach(() => {
  emulator = createEmulator({ seed: false });
  emulator.hosting.addUser('ada', { password: 'secret', siteAdmin: false });
  emulator.hosting.addOrg('lab', ['ada']);
  auth = basic('ada', 'secret');
});

describe('an emulator with custom records', () => {
  test('the emulator serves custom repositories with files, branches and tags', async () => {
    const { hosting } = emulator;
    hosting.addRepo('lab', 'engine', {
      files: {
        'README.md': '# Engine',
        'a/b.bin': Buffer.from([0, 255]),
        link: { symlink: 'README.md' },
        up: { symlink: '../outside' },
        'a/link': { symlink: '../README.md' },
        sub: { submodule: 'http://code.test/lab/other.git', hosted: true },
      },
      defaultBranch: 'trunk',
      description: null,
      language: null,
    });
    hosting.addRef('lab/engine', 'tags/v1');
    hosting.addFile('lab/engine', 'later.txt', 'later', 'topic');
    hosting.addFile('lab/engine', 'late.txt', 'late');
    const repo = await sendRequest(emulator, 'GET /repos/lab/engine', { auth });
    expect(validate(Repository, repo.data)).toMatchObject({
      default_branch: 'trunk',
      description: null,
      language: null,
      permissions: { admin: true, push: true, pull: true },
    });
    const get = (path: string) =>
      sendRequest(emulator, `GET /repos/lab/engine/contents/${path}`, { auth }).then(
        ({ data }) => data,
      );
    for (const path of ['README.md', 'link', 'a/link', 'a/b.bin', 'up', 'sub', 'late.txt']) {
      validate(ContentEntry, await get(path));
    }
    expect(await get('a/link')).toMatchObject({ type: 'file', content: 'IyBFbmdpbmU=' });
    expect(await get('up')).toMatchObject({ type: 'symlink', target: '../outside' });
    expect((await get('sub')).git_url).not.toBeNull();
    expect(await get('later.txt?ref=topic')).toMatchObject({ name: 'later.txt' });
    expect(await get('late.txt?ref=v1')).toMatchObject({ message: 'Not Found' });
    expect(await get('README.md?ref=refs/tags/v1')).toMatchObject({ name: 'README.md' });
  });

  test('the emulator serves a file of more than 1 MiB only in raw format', async () => {
    const large = 'x'.repeat(1024 * 1024 + 1);
    emulator.hosting.addRepo('lab', 'engine', { files: { 'large.txt': large } });
    const path = 'GET /repos/lab/engine/contents/large.txt';
    const { status, data } = await sendRequest(emulator, path, { auth });
    expect([status, data.errors[0].code]).toEqual([403, 'too_large']);
    const accept = 'application/vnd.service.v3.raw';
    const raw = await sendRequest(emulator, path, { auth, headers: { accept } });
    expect(raw.text.length).toBe(large.length);
  });

  test('the emulator serves custom pull requests, releases and assets', async () => {
    const { hosting } = emulator;
    hosting.addRepo('lab', 'engine');
    hosting.addPull('lab/engine', { title: 'First', state: 'closed' });
    hosting.addPull('lab/engine');
    const pulls = await sendRequest(emulator, 'GET /repos/lab/engine/pulls?state=all', { auth });
    expect(pulls.data.map((each: unknown) => validate(PullRequest, each).title)).toEqual([
      'Pull request 2',
      'First',
    ]);
    const release = hosting.addRelease('lab/engine', 'v1', { draft: true });
    const asset = hosting.addAsset(release, 'a.txt', { content: Buffer.from('abc'), label: 'A' });
    hosting.addAsset(release, 'huge.bin', { size: 5_000_000_000 });
    const got = await sendRequest(emulator, `GET /repos/lab/engine/releases/${release.id}`, {
      auth,
    });
    const [first, second] = validate(Release, got.data).assets ?? [];
    expect(validate(ReleaseAsset, first)).toMatchObject({ size: 3, label: 'A' });
    expect(second).toMatchObject({ size: 5_000_000_000 });
    const anonymous = await sendRequest(emulator, 'GET /repos/lab/engine/releases', { auth: null });
    expect(anonymous.data).toEqual([]);
    const headers = { accept: 'application/octet-stream' };
    const path = `GET /repos/lab/engine/releases/assets/${asset.id}`;
    expect((await sendRequest(emulator, path, { auth, headers })).text).toBe('abc');
    emulator.hosting.assetOrigin = 'http://store.test';
    const moved = await sendRequest(emulator, path, { auth, headers });
    const location = `http://store.test/assets/lab/engine/${asset.id}`;
    expect([moved.status, moved.headers.location]).toEqual([302, location]);
    const store = `GET /assets/lab/engine/${asset.id}`;
    expect((await sendRequest(emulator, store, { auth: null })).text).toBe('abc');
    // Clients must not send credentials to the storage server, so the server rejects requests with
    // credentials.
    expect((await sendRequest(emulator, store, { auth })).status).toBe(400);
    expect((await sendRequest(emulator, 'GET /assets/lab/engine/999', { auth: null })).status).toBe(
      404,
    );
    expect(asset.downloads).toBe(2);
  });

  test('the emulator redirects requests for a renamed repository', async () => {
    emulator.hosting.addRepo('lab', 'engine');
    emulator.hosting.renameRepo('lab/engine', 'motor');
    const { token } = emulator.hosting.addToken('ada', ['repo']);
    const path = `GET /repos/lab/engine/pulls?state=all&access_token=${token}`;
    const { status, headers } = await sendRequest(emulator, path, { auth: null });
    const location = 'http://code.test/api/v3/repos/lab/motor/pulls?state=all';
    expect([status, headers.location]).toEqual([301, location]);
    expect((await sendRequest(emulator, 'GET /repos/lab/motor', { auth })).status).toBe(200);
  });

  test('addPull() throws an error that names an unknown repository', () => {
    expect(() => emulator.hosting.addPull('lab/none')).toThrow('lab/none');
  });

  test('emulator.reset() discards custom records', async () => {
    emulator.hosting.addRepo('lab', 'engine');
    emulator.reset();
    expect((await sendRequest(emulator, 'GET /repos/lab/engine', { auth: null })).status).toBe(404);
  });
});

test('routes outside the contract return users, organizations and their repositories', async () => {
  emulator.hosting.addRepo('lab', 'engine');
  emulator.hosting.addRepo('lab', 'hidden', { isPrivate: true });
  const status = async (path: string) =>
    (await sendRequest(emulator, `GET ${path}`, { auth })).status;
  expect(await status('/users/ada')).toBe(200);
  expect(await status('/orgs/lab')).toBe(200);
  expect(await status('/users/nobody')).toBe(404);
  expect(await status('/users/nobody/repos')).toBe(404);
  expect((await sendRequest(emulator, 'GET /orgs/lab/repos', { auth })).data).toHaveLength(2);
  expect((await sendRequest(emulator, 'GET /orgs/lab/repos', { auth: null })).data).toHaveLength(1);
});

test("the emulator's `vendor` option sets the vendor name in media types and headers", async () => {
  const github = createEmulator({ vendor: 'github' });
  const accept = 'application/vnd.github.beta+json';
  const { headers } = await sendRequest(github, 'GET /user', { headers: { accept } });
  expect(headers['x-github-media-type']).toBe('github.beta');
  expect((await sendRequest(emulator, 'GET /users/ada')).headers['x-service-media-type']).toBe(
    'service.v3',
  );
});
