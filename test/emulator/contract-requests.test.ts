import { beforeEach, describe, expect, test } from 'vitest';
import { createEmulator, type Emulator, supportSeed } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { other } from './other-apis.js';
import { findRocket } from './rocket.js';
import { basic, sendRequest } from './send-request.js';

// Tests which requests the API contract accepts.

let emulator: Emulator;

beforeEach(() => {
  emulator = createEmulator(noon);
});

const rocket = () => findRocket(emulator);

test('the emulator lists commit comments by a branch name with slashes', async () => {
  emulator.hosting.addFile('acme/rocket', 'x', 'x', 'feature/part-1');
  const sha = rocket().refs.get('heads/feature/part-1')?.sha ?? '';
  emulator.hosting.addComment('acme/rocket', 'On the branch', { sha });
  for (const ref of ['feature/part-1', 'feature%2Fpart-1', 'refs/heads/feature/part-1']) {
    const { data } = await sendRequest(emulator, `GET /repos/acme/rocket/commits/${ref}/comments`);
    expect(data).toMatchObject([{ body: 'On the branch' }]);
  }
  expect((await sendRequest(emulator, 'GET /repos/acme/rocket/commits//comments')).status).toBe(
    404,
  );
});

test('a lockout after ten failed logins ends after 15 minutes', async () => {
  const login = (password: string) =>
    sendRequest(emulator, 'GET /user', { auth: basic('ada-0', password) });
  for (let count = 0; count < 10; count++) expect((await login('wrong')).status).toBe(401);
  expect((await login('password of ada-0')).status).toBe(403);
  emulator.clock.advance(15 * 60_000 - 1);
  expect((await login('password of ada-0')).status).toBe(403);
  emulator.clock.advance(1);
  expect((await login('password of ada-0')).status).toBe(200);
});

test('a successful login resets the count of failed logins', async () => {
  const login = (password: string) =>
    sendRequest(emulator, 'GET /user', { auth: basic('ada-0', password) });
  for (let round = 0; round < 2; round++) {
    for (let count = 0; count < 9; count++) expect((await login('wrong')).status).toBe(401);
    expect((await login('password of ada-0')).status).toBe(200);
  }
});

test('PUT /contents/:path responds with 422 to a file larger than 1 MiB', async () => {
  const write = (size: number) =>
    sendRequest(emulator, 'PUT /repos/acme/rocket/contents/big.bin', {
      body: { message: 'big', content: Buffer.alloc(size).toString('base64') },
    });
  const refused = await write(1_048_577);
  expect(refused.status).toBe(422);
  expect(refused.data.errors).toMatchObject([{ field: 'content', code: 'too_large' }]);
  expect((await write(1_048_576)).status).toBe(201);
});

describe('hook config', () => {
  const url = 'http://127.0.0.1:9/';
  test.each<[string, object, string, string]>([
    ['web', {}, 'url', 'missing_field'],
    ['web', { url: 'ftp://x/' }, 'url', 'invalid'],
    ['web', { url: 'nonsense' }, 'url', 'invalid'],
    ['web', { url, content_type: 'xml' }, 'content_type', 'invalid'],
    ['web', { url, insecure_ssl: '2' }, 'insecure_ssl', 'invalid'],
    ['irc', { server: 'x', ssl: 'yes' }, 'ssl', 'invalid'],
  ])('the emulator rejects the %s hook config %j', async (name, config, field, code) => {
    const { status, data } = await sendRequest(emulator, 'POST /repos/acme/rocket/hooks', {
      body: { name, config },
    });
    expect(status).toBe(422);
    expect(data.errors).toEqual([{ resource: 'Hook', field, code }]);
    const hook = emulator.hosting.addHook('acme/rocket', { url }, { name });
    const patch = await sendRequest(emulator, `PATCH /repos/acme/rocket/hooks/${hook.id}`, {
      body: { config },
    });
    expect(patch.status).toBe(422);
  });

  test("the emulator stores the JSON boolean true in a hook config as '1'", async () => {
    const body = { name: 'web', config: { url, insecure_ssl: true } };
    const { data } = await sendRequest(emulator, 'POST /repos/acme/rocket/hooks', { body });
    expect(data.config).toMatchObject({ insecure_ssl: '1', content_type: 'form' });
  });
});

test('GET /enterprise/stats/:type responds with 404 to non-administrators', async () => {
  expect((await sendRequest(emulator, 'GET /enterprise/stats/all', { auth: null })).status).toBe(
    404,
  );
  const auth = basic('ada-0', 'password of ada-0');
  expect((await sendRequest(emulator, 'GET /enterprise/stats/all', { auth })).status).toBe(404);
  expect((await sendRequest(emulator, 'GET /enterprise/stats/all')).status).toBe(200);
});

describe('the emulator', () => {
  const create = (type: string, body: string) =>
    sendRequest(emulator, 'POST /repos/acme/rocket/releases', {
      body,
      headers: { 'content-type': type },
    });
  const json = (tag: string) => JSON.stringify({ tag_name: tag });

  test.each([
    ['application/json; charset=utf-8', json('a'), 201],
    ['application/vnd.service.v3+json', json('b'), 201],
    ['application/x-www-form-urlencoded', 'tag_name=c', 201],
    // Some clients send JSON with a form's Content-Type.
    ['application/x-www-form-urlencoded', json('d'), 201],
    ['text/plain', json('e'), 415],
    ['application/xml', '<x/>', 415],
    ['application/json', '[1]', 400],
    ['application/json', '{', 400],
  ])('the emulator responds to the %s body %s with a %i', async (type, body, status) => {
    expect((await create(type, body)).status).toBe(status);
  });

  test('the emulator rejects deeply nested JSON and an oversized body', async () => {
    expect(
      (await create('application/json', `${'{"a":'.repeat(200)}1${'}'.repeat(200)}`)).status,
    ).toBe(400);
    expect((await create('application/json', '['.repeat(1_000_000))).status).toBe(400);
    expect((await create('application/json', `"${' '.repeat(9_000_000)}"`)).status).toBe(413);
  });

  test('the emulator replaces an escaped lone surrogate in a body', async () => {
    const sha = rocket().refs.get('heads/main')?.sha;
    const { status, data } = await sendRequest(emulator, 'POST /repos/acme/rocket/git/refs', {
      body: `{"ref":"refs/heads/\\ud800","sha":"${sha}"}`,
    });
    expect([status, data.ref]).toEqual([201, 'refs/heads/\ufffd']);
  });

  test('the support API accepts a form body and rejects a JSON body', async () => {
    const login = (type?: string) =>
      other(emulator, 'POST /api/v2/authenticate', { ...supportSeed }, type);
    expect((await login()).data.success).toBe(true);
    expect(await login('application/json')).toMatchObject({
      status: 400,
      data: { success: false },
    });
  });
});

test('a request with a blank User-Agent gets a 403', async () => {
  const { status, data } = await sendRequest(emulator, 'GET /user', {
    headers: { 'user-agent': ' ' },
  });
  expect(status).toBe(403);
  expect(data.message).toContain('User-Agent');
});

test.each(['state=merged', 'sort=stars', 'direction=up'])(
  'GET /repos/:owner/:repo/pulls responds with 422 to the query %s',
  async (query) => {
    const { status, data } = await sendRequest(emulator, `GET /repos/acme/rocket/pulls?${query}`);
    expect(status).toBe(422);
    const [field] = query.split('=');
    expect(data.errors).toEqual([{ resource: 'PullRequest', field, code: 'invalid' }]);
  },
);
