import { beforeEach, describe, expect, test } from 'vitest';
import { createEmulator, type Emulator, seeded, supportSeed } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { origin, sendRequest } from './send-request.js';

let emulator: Emulator;

beforeEach(() => {
  emulator = createEmulator(noon);
});

describe('unknown routes', () => {
  test.each([
    ['GET /repos/acme/rocket/branches', 'GET /api/v3/repos/:owner/:repo'],
    ['GET /repos/acme/rocket/pull/1', 'GET /api/v3/repos/:owner/:repo/pulls/:number'],
    ['DELETE /repos/acme/rocket/pulls/1', 'PATCH /api/v3/repos/:owner/:repo/pulls/:number'],
    ['GET /repo/acme/rocket/readme', 'GET /api/v3/repos/:owner/:repo/readme'],
  ])('the emulator rejects %s and suggests %s', async (what, near) => {
    const { status, data } = await sendRequest(emulator, what);
    expect(status).toBe(404);
    expect(data.message).toBe(`emulator: unknown route: ${what.replace('/', '/api/v3/')}`);
    expect(data.nearest).toContain(near);
  });

  test('the emulator suggests routes for paths outside /api/v3', async () => {
    const { respond } = emulator;
    const at = async (path: string) =>
      JSON.parse(await (await respond(new Request(origin + path))).text());
    expect((await at('/repos/acme/rocket')).nearest).toContain('GET /api/v3/repos/:owner/:repo');
    expect(await at('/setup/api/setings')).toMatchObject({
      message: 'emulator: unknown route: GET /setup/api/setings',
      nearest: expect.arrayContaining(['GET /setup/api/settings']),
    });
  });

  test('the emulator responds to a missing resource with the message Not Found', async () => {
    expect((await sendRequest(emulator, 'GET /repos/acme/none')).data.message).toBe('Not Found');
  });
});

test.each<[string, string[]]>([
  ['GET /repos/acme/rocket', ['GET /api/v3/repos/:owner/:repo']],
  ['GET /api/v3/repo/acme/rocket', ['GET /api/v3/repos/:owner/:repo']],
  ['GET /api/v3/repos/a/b/pull/1', ['GET /api/v3/repos/:owner/:repo/pulls/:number']],
  ['PUT /api/v3/user', ['GET /api/v3/user']],
  ['GET /api/v2/contacts/1', ['GET /api/v2/contact/:id']],
  ['GET /setup/api/setting', ['GET /setup/api/settings', 'PUT /setup/api/settings']],
])('the 404 for the unknown route %s suggests %j', async (what, near) => {
  const [method = '', path = ''] = what.split(' ');
  const auth = { authorization: `token ${seeded.token}`, 'user-agent': 'test' };
  const headers: Record<string, string> = path.includes('/v2/') ? {} : auth;
  const { data } = await sendRequest(emulator, 'POST /api/v2/authenticate', {
    body: new URLSearchParams({ ...supportSeed }).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  const url = `${origin}${path}${path.includes('/v2/') ? `?access_token=${data.access_token}` : ''}`;
  const response = await emulator.respond(new Request(url, { method, headers }));
  const output = JSON.parse(await response.text());
  expect(response.status).toBe(404);
  expect(output.nearest.length).toBeLessThanOrEqual(3);
  for (const each of near) expect(output.nearest).toContain(each);
});

test('the 404 for a path of 3000 segments suggests three routes', async () => {
  const response = await emulator.respond(new Request(`${origin}/${'xyz/'.repeat(3000)}`));
  expect(await response.json()).toMatchObject({
    nearest: [/./, /./, /./].map((each) => expect.stringMatching(each)),
  });
});
