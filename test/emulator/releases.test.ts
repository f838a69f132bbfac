import { createHash } from 'node:crypto';
import { gunzipSync } from 'node:zlib';
import { beforeEach, describe, expect, it, test } from 'vitest';
import { serveAsset } from '../../src/testing/hosting/releases.js';
import { createEmulator, type Emulator, type Repo } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { findRocket } from './hosting-worlds.js';
import { basic, origin, sendRequest } from './send-request.js';

const auth = basic('ada', 'x');

const octets = { accept: 'application/octet-stream' };

const here = '/repos/lab/engine';

let emulator: Emulator;

let repo: Repo;

const send = (what: string, body?: unknown) =>
  sendRequest(emulator, what.replace(' /', ` ${here}/`), { auth, body });

const get = async (path: string) => await send(`GET ${path}`);

beforeEach(() => {
  emulator = createEmulator({ ...noon, seed: false });
  emulator.hosting.addUser('ada', { password: 'x' });
  emulator.hosting.addOrg('lab', ['ada']);
  repo = emulator.hosting.addRepo('lab', 'engine');
});

describe('/releases', () => {
  it('GET /releases lists the newest release first', async () => {
    const { hosting } = emulator;
    const tags = async () =>
      (await get('/releases')).data.map(({ tag_name }: { tag_name: string }) => tag_name);
    const latest = async () => {
      const { status, data } = await get('/releases/latest');
      return data.tag_name ?? status;
    };
    hosting.addRelease(repo, 'v0', { draft: true });
    hosting.addRelease(repo, 'v0-rc', { prerelease: true });
    expect(await latest()).toBe(404);
    hosting.addRelease(repo, 'v/1');
    hosting.addRelease(repo, 'v2');
    hosting.addRelease(repo, 'v3', { prerelease: true });
    hosting.addRelease(repo, 'v4', { draft: true });
    expect(await latest()).toBe('v2');
    expect(await tags()).toEqual(['v4', 'v3', 'v2', 'v/1', 'v0-rc', 'v0']);
    expect((await get('/releases/tags/v/1')).data.tag_name).toBe('v/1');
    for (const tag of ['v4', 'none']) {
      expect((await get(`/releases/tags/${tag}`)).status).toBe(404);
    }
    await send(`DELETE /releases/${repo.releases[3]?.id}`);
    expect(await tags()).toEqual(['v4', 'v3', 'v/1', 'v0-rc', 'v0']);
  });

  beforeEach(() => emulator.hosting.addRef(repo, 'heads/t'));

  it.each<[object, object]>([
    [{}, {}],
    [{ tag_name: 'v2' }, { tag_name: 'v2' }],
    [{ target_commitish: 't' }, { target_commitish: 't' }],
    [{ body: 'B' }, { body: 'B' }],
    [{ draft: true }, { draft: true, published_at: null }],
  ])('PATCH /releases/:id with %j changes only those fields', async (body, changed) => {
    const { id } = emulator.hosting.addRelease(repo, 'v1', { name: 'n', body: 'b' });
    const { data: before } = await get(`/releases/${id}`);
    const { data: after, status } = await send(`PATCH /releases/${id}`, body);
    // Ignores URLs, because they contain the tag.
    const plain = ({ html_url, tarball_url, zipball_url, ...rest }: Record<string, unknown>) =>
      rest;
    expect([status, plain(after)]).toEqual([200, { ...plain(before), ...changed }]);
  });
});

describe('release assets', () => {
  const upload = async (name: string, body: string, more = '') => {
    const { id } = repo.releases[0] ?? emulator.hosting.addRelease(repo, 'v1');
    const headers = { 'content-type': 'text/plain' };
    const path = `/api/uploads${here}/releases/${id}/assets?name=${name}${more}`;
    return await sendRequest(emulator, `POST ${path}`, { auth, body, headers });
  };
  it('the emulator uploads, lists, updates and deletes a release asset', async () => {
    const first = await upload('a', 'alpha');
    const second = await upload('b%20c', 'beta!', '&label=L');
    expect(second.data).toMatchObject({
      name: 'b c',
      label: 'L',
      size: 5,
      uploader: { login: 'ada' },
    });
    emulator.hosting.addRelease(repo, 'v2');
    const path = `/releases/${repo.releases[0]?.id}/assets`;
    expect((await get(path)).data).toEqual([first.data, second.data]);
    const change = async (body: object) => {
      emulator.clock.advance(60_000);
      const { status, data } = await send(`PATCH /releases/assets/${first.data.id}`, body);
      return [status, data.name, data.label, data.updated_at];
    };
    const at = (minute: number) => `2014-06-01T12:0${minute}:00Z`;
    expect(await change({})).toEqual([200, 'a', null, at(1)]);
    expect(await change({ name: 'a' })).toEqual([200, 'a', null, at(2)]);
    expect(await change({ name: 'd' })).toEqual([200, 'd', null, at(3)]);
    expect(await change({ label: 'M' })).toEqual([200, 'd', 'M', at(4)]);
    expect((await send(`DELETE /releases/assets/${second.data.id}`)).status).toBe(204);
    expect((await get(path)).data).toMatchObject([{ id: first.data.id }]);
    for (const id of [second.data.id, 'x', 0]) {
      expect((await get(`/releases/assets/${id}`)).status).toBe(404);
    }
  });

  it('GET /releases/assets/:id returns the content for Accept: application/octet-stream', async () => {
    const { data } = await upload('a', 'alpha');
    const path = `${here}/releases/assets/${data.id}`;
    const bytes = await sendRequest(emulator, `GET ${path}`, { auth, headers: octets });
    const sha256 = createHash('sha256').update('alpha').digest('hex');
    expect(bytes.headers['accept-ranges']).toBe('bytes');
    expect([bytes.status, bytes.text, bytes.headers.etag, bytes.headers['content-type']]).toEqual([
      ...[200, 'alpha', `"${sha256}"`, 'text/plain'],
    ]);
    emulator.hosting.assetOrigin = 'http://store.test';
    const moved = await sendRequest(emulator, `GET ${path}`, { auth, headers: octets });
    const target = `/assets/lab/engine/${data.id}`;
    expect([moved.status, moved.headers.location]).toEqual([302, `http://store.test${target}`]);
    expect((await sendRequest(emulator, `GET ${target}`, { auth: null })).text).toBe('alpha');
    expect((await get(`/releases/assets/${data.id}`)).data.download_count).toBe(2);
    const refused = [
      [`${target}?access_token=x`, null, 400],
      [target, 'token x', 400],
      ['/assets/lab/engine/0', null, 404],
      [target.replace('engine', 'none'), null, 404],
    ] as const;
    for (const [requests, passed, status] of refused) {
      const response = await sendRequest(emulator, `GET ${requests}`, { auth: passed });
      expect([response.status, response.data.message]).toEqual([
        status,
        expect.stringMatching(/\w/),
      ]);
    }
    emulator.reset();
    expect(emulator.hosting.assetOrigin).toBeUndefined();
  });

  it('the emulator stores the content of release assets of up to 16 MiB', async () => {
    const mebibytes = 16 * 1_048_576;
    const sizes: [number, number][] = [];
    for (const size of [mebibytes, mebibytes + 1]) {
      const content = 'x'.repeat(size);
      const { data } = await upload(`a${size}`, content);
      expect(data.size).toBe(size);
      const path = `${here}/releases/assets/${data.id}`;
      const response = await sendRequest(emulator, `GET ${path}`, { auth, headers: octets });
      sizes.push([response.status, response.data?.size ?? response.text.length]);
      const sha256 = createHash('sha256').update(content).digest('hex');
      expect(response.data?.sha256 ?? sha256).toBe(sha256);
    }
    expect(sizes).toEqual([
      [200, mebibytes],
      [410, mebibytes + 1],
    ]);
  });
});

describe('repository archives', () => {
  it('the archive endpoints redirect to the archive of a reference or the default branch', async () => {
    emulator.hosting.addRef(repo, 'heads/a/b#c');
    const to = async (path: string) => {
      const { status, headers } = await get(path);
      return [status, String(headers.location).replace(`${origin}/archives/lab/engine`, '')];
    };
    expect(await to('/tarball/a/b%23c')).toEqual([302, '/tarball/a/b%23c']);
    expect(await to('/zipball/main')).toEqual([302, '/zipball/main']);
    for (const path of ['/zipball', '/zipball/']) {
      expect(await to(path)).toEqual([302, '/zipball/main']);
    }
    expect((await to('/zipball/none'))[0]).toBe(404);
  });

  it('the emulator returns empty tar.gz and zip archives', async () => {
    const at = async (path: string) => {
      const response = await emulator.respond(new Request(`${origin}/archives/lab/engine${path}`));
      const bytes = Buffer.from(await response.arrayBuffer());
      return { status: response.status, type: response.headers.get('content-type'), bytes };
    };
    const tar = await at('/tarball/main');
    expect([tar.status, tar.type]).toEqual([200, 'application/x-gzip']);
    expect(gunzipSync(tar.bytes).equals(Buffer.alloc(1024))).toBe(true);
    const zip = await at('/zipball/main');
    expect([zip.status, zip.type]).toEqual([200, 'application/zip']);
    expect(zip.bytes.toString('hex')).toBe(`504b0506${'00'.repeat(18)}`);
    expect((await at('/rar/main')).status).toBe(404);
  });
});

describe('releases of the seed', () => {
  const seeded = '/repos/acme/rocket';
  const create = (body: object) => sendRequest(emulator, `POST ${seeded}/releases`, { body });

  beforeEach(() => {
    emulator = createEmulator(noon);
  });

  it("POST /releases responds with 422 if target_commitish doesn't exist", async () => {
    const { releases } = findRocket(emulator);
    const { status, data } = await create({ tag_name: 'v9', target_commitish: 'none' });
    const error = { resource: 'Release', field: 'target_commitish', code: 'invalid' };
    expect([status, data.errors]).toEqual([422, [error]]);
    expect(releases).toHaveLength(40);
  });

  it('a browser_download_url serves the asset of a public repository', async () => {
    const release = emulator.hosting.addRelease('acme/rocket', 'v/9');
    emulator.hosting.addAsset(release, 'a b.txt', { content: Buffer.from('a') });
    const { data } = await sendRequest(emulator, `GET ${seeded}/releases/tags/v/9`);
    const url = data.assets[0].browser_download_url;
    const fetched = await emulator.respond(new Request(url));
    expect([fetched.status, await fetched.text()]).toEqual([200, 'a']);
    findRocket(emulator).isPrivate = true;
    expect((await emulator.respond(new Request(url))).status).toBe(404);
  });

  const download = async (name: string, headers: Record<string, string> = {}) => {
    const release = emulator.hosting.addRelease('acme/rocket', `v-${emulator.requests.length}`);
    const content = Buffer.from('<script>alert(1)</script>');
    const { id } = emulator.hosting.addAsset(release, name, { content, contentType: 'text/html' });
    const direct = await sendRequest(emulator, `GET ${seeded}/releases/assets/${id}`, {
      headers: { ...octets, ...headers },
    });
    const fromStore = await sendRequest(emulator, `GET /assets/acme/rocket/${id}`, {
      auth: null,
      headers,
    });
    return [direct, fromStore];
  };

  it('a release asset download has headers that make browsers save the file', async () => {
    for (const headers of [{}, { range: 'bytes=0-3' }, { range: 'bytes=900-' }]) {
      for (const { headers: got } of await download('page.html', headers)) {
        expect(got).toMatchObject({
          'content-disposition': 'attachment; filename=page.html',
          'x-content-type-options': 'nosniff',
          'content-type': 'text/html',
        });
      }
    }
  });

  it.each([
    ['a b"; x=1.svg', `filename*=UTF-8''a%20b%22%3B%20x%3D1.svg`],
    ['naïve(1)\r\n.txt', `filename*=UTF-8''na%C3%AFve(1)%0D%0A.txt`],
    ['\ud800.bin', `filename*=UTF-8''%EF%BF%BD.bin`],
  ])(
    'a release asset download encodes the file name %j in Content-Disposition',
    async (name, words) => {
      for (const { headers } of await download(name)) {
        expect(headers['content-disposition']).toBe(`attachment; ${words}`);
      }
    },
  );
});

describe('ranges of an asset', () => {
  const respond = (headers: Record<string, string>, method = 'GET') => {
    const release = emulator.hosting.addRelease(repo, `v${repo.releases.length}`);
    const content = Buffer.from('0123456789');
    const asset = emulator.hosting.addAsset(release, 'a.txt', { content, sha256: 'e' });
    const reply = serveAsset(new Request('http://x', { method, headers }), asset);
    const text = typeof reply.body === 'string' ? reply.body : new TextDecoder().decode(reply.body);
    return [reply.status, text, reply.headers['content-range']];
  };

  describe('range requests (RFC 9110)', () => {
    test.each([
      ['bytes=0-3', '0123', 'bytes 0-3/10'],
      ['bytes=4-', '456789', 'bytes 4-9/10'],
      ['bytes=8-99', '89', 'bytes 8-9/10'],
      ['bytes=-3', '789', 'bytes 7-9/10'],
      ['bytes=-99', '0123456789', 'bytes 0-9/10'],
    ])(
      'the emulator responds to the range %s with a 206 that contains %s',
      (range, text, served) => {
        expect(respond({ range })).toEqual([206, text, served]);
      },
    );

    test.each(['bytes=10-', 'bytes=99-100', 'bytes=-0'])(
      'the emulator responds with 416 to the unsatisfiable range %s',
      (range) => {
        expect(respond({ range })).toEqual([416, '', 'bytes */10']);
      },
    );

    test.each([
      '',
      'bytes=',
      'bytes=-',
      'bytes=5-4',
      'bytes=0-1,4-5',
      'xbytes=0-1',
      'lines=0-1',
      'bytes=a-b',
    ])('the emulator responds with 200 to the invalid or missing range %j', (range) => {
      expect(respond(range === '' ? {} : { range })).toEqual([200, '0123456789', undefined]);
    });

    test('the emulator responds with a 206 only to a GET whose If-Range matches', () => {
      expect(respond({ range: 'bytes=4-', 'if-range': '"e"' })[0]).toBe(206);
      expect(respond({ range: 'bytes=4-', 'if-range': '"f"' })[0]).toBe(200);
      expect(respond({ range: 'bytes=4-', 'if-range': 'W/"e"' })[0]).toBe(200);
      expect(respond({ range: 'bytes=4-' }, 'HEAD')[0]).toBe(200);
    });
  });
});
