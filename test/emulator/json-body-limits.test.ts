import { describe, expect, it } from 'vitest';
import { control } from '../../src/testing/control.js';
import { createEmulator, type Emulator, seeded } from '../../src/testing/index.js';

const releases = '/api/v3/repos/acme/rocket/releases';

async function send(emulator: Emulator, path: string, body: string, method = 'POST') {
  const headers = {
    'content-type': 'application/json',
    authorization: `token ${seeded.token}`,
    'user-agent': 'test',
  };
  const request = new Request(`http://code.test${path}`, { method, headers, body });
  const response = (await control(emulator, request)) ?? (await emulator.respond(request));
  return { status: response.status, text: await response.text() };
}

const bodyWith = (values: number) => `{"a":[${'{},'.repeat(values - 3)}{}]}`;

describe('JSON bodies', () => {
  it.each(['/login/oauth/access_token', releases, '/setup/api/start', '/_emulator/faults'])(
    'the emulator accepts at most 100,000 JSON values in a body for %s',
    async (path) => {
      const many = await send(createEmulator(), path, bodyWith(100_001));
      expect(many).toEqual({ status: 413, text: expect.stringContaining('100000 values') });
      const some = await send(createEmulator(), path, bodyWith(100_000));
      expect(some.status).not.toBe(413);
    },
  );

  it("the limit for JSON values doesn't count commas and brackets in strings", async () => {
    const body = JSON.stringify({ tag_name: 'v', body: '[{,"'.repeat(200_000) });
    expect((await send(createEmulator(), releases, body)).status).toBe(201);
  });

  it("the emulator's request log contains a body with too many JSON values as text", async () => {
    const emulator = createEmulator();
    const body = bodyWith(100_001);
    await send(emulator, releases, body);
    expect(emulator.requests[0]?.body).toBe(body);
  });
});

describe('PUT /_emulator/world.json', () => {
  it('PUT /_emulator/world.json rejects a world with more than 10,000,000 values', async () => {
    const body = `[${'1,'.repeat(10_000_000)}1]`;
    const { status, text } = await send(createEmulator(), '/_emulator/world.json', body, 'PUT');
    expect([status, text]).toEqual([413, expect.stringContaining('10000000 values')]);
  });
});

// A check with quadratic backtracking would exceed this test's timeout.
describe('Base64 content with 200,000 spaces', () => {
  const spaces = `A${' '.repeat(200_000)}`;
  it.each([
    ['before an invalid character', 422, `${spaces}!`],
    ['after padding', 422, `QUE=${spaces}`],
    ['before padding', 201, ` Q\n${spaces}==\n`],
  ])(
    'PUT /contents/:path responds to Base64 with 200,000 spaces %s with a %i',
    async (_name, status, content) => {
      const path = '/api/v3/repos/acme/rocket/contents/a';
      const body = JSON.stringify({ message: 'm', content });
      const response = await send(createEmulator(), path, body, 'PUT');
      expect(response.status).toBe(status);
    },
    20_000,
  );
});

describe('POST /login/oauth/access_token', () => {
  it.each<[unknown]>([[{ toString: 1 }], [[]], [null], [7], [true], [{ a: ['b'] }]])(
    'POST /login/oauth/access_token responds with bad_verification_code if the code is %j',
    async (code) => {
      const { clientId: client_id, clientSecret: client_secret } = seeded;
      const body = JSON.stringify({ client_id, client_secret, code });
      const response = await send(createEmulator(), '/login/oauth/access_token', body);
      expect(response.text).toContain('error=bad_verification_code');
    },
  );
});

describe('HEAD /_emulator/events', () => {
  it('HEAD /_emulator/events responds with headers but no body', async () => {
    const request = new Request('http://code.test/_emulator/events', { method: 'HEAD' });
    const response = await control(createEmulator(), request);
    expect([response?.status, response?.body]).toEqual([200, null]);
    expect(response?.headers.get('content-type')).toBe('text/event-stream');
  });
});
