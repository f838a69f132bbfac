import { beforeEach, expect, test } from 'vitest';
import { createEmulator, type Emulator, supportSeed } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { other } from './other-apis.js';
import { origin, sendRequest } from './send-request.js';

// Tests details of responses in the API contract.

let emulator: Emulator;

beforeEach(() => {
  emulator = createEmulator(noon);
});

test('the emulator sorts starred repositories by star date', async () => {
  emulator.clock.advance(1000);
  await sendRequest(emulator, 'PUT /user/starred/acme/component-9');
  emulator.clock.advance(1000);
  await sendRequest(emulator, 'PUT /user/starred/acme/rocket');
  const names = async (query: string) =>
    (await sendRequest(emulator, `GET /user/starred${query}`)).data.map(
      (repo: { name: string }) => repo.name,
    );
  expect((await names('')).slice(0, 3)).toEqual(['rocket', 'component-9', 'project-40']);
  expect(await names('?direction=asc&per_page=1')).toEqual(['project-1']);
  expect((await sendRequest(emulator, 'GET /user/starred?sort=stars')).status).toBe(422);
});

test.each([
  ['GET /repos/acme/rocket', {}],
  ['GET /repos/acme/none', {}],
  ['GET /nowhere', {}],
  ['GET /user', { auth: 'token wrong' }],
  ['GET /user', { auth: null }],
  ['POST /repos/acme/rocket/releases', { body: '{' }],
  ['GET /repos/acme/rocket', { headers: { 'user-agent': '' } }],
])('the response to %s (options %j) contains rate-limit headers', async (what, how) => {
  const { headers } = await sendRequest(emulator, what, how);
  for (const name of ['limit', 'remaining', 'reset']) {
    expect(headers[`x-ratelimit-${name}`]).toMatch(/^\d+$/);
  }
});

test('a 304 from GET /rate_limit uses no quota', async () => {
  const { headers } = await sendRequest(emulator, 'GET /rate_limit');
  const again = await sendRequest(emulator, 'GET /rate_limit', {
    headers: { 'if-none-match': String(headers.etag) },
  });
  expect([again.status, again.headers['x-ratelimit-remaining']]).toEqual([304, '5000']);
});

test("a support record's `url` points to the record", async () => {
  const { data: session } = await other(emulator, 'POST /api/v2/authenticate', { ...supportSeed });
  const get = async (path: string) =>
    (await other(emulator, `GET ${path}?access_token=${session.access_token}`)).data;
  const one = await get('/api/v2/case/1');
  expect(one).toMatchObject({ credits: 0, handling_ms: 0, sla_seconds: 0 });
  expect(one.we_did_not_reply_since_date).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d[+-]\d{4}$/);
  for (const record of [one, one.contact]) {
    const { pathname } = new URL(record.url);
    expect((await get(pathname)).id).toBe(record.id);
  }
  expect(one.url).toBe(`${origin}/api/v2/case/1`);
});

test('the hosting API sends master_branch in the version beta, but not in v3', async () => {
  const get = async (accept: string) =>
    (await sendRequest(emulator, 'GET /repos/acme/rocket', { headers: { accept } })).data;
  const beta = await get('application/vnd.service.beta+json');
  const v3 = await get('application/vnd.service.v3+json');
  expect(beta).toMatchObject({ master_branch: 'main', public: true, forks: beta.forks_count });
  expect(v3).toMatchObject({ watchers: v3.watchers_count, open_issues: v3.open_issues_count });
  expect(v3).not.toHaveProperty('master_branch');
});
