import { Agent, request } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEmulator, type Emulator, seeded } from '../../src/testing/index.js';

const auth = { authorization: `token ${seeded.token}`, 'user-agent': 'test' };
const ended: (() => unknown)[] = [];
let emulator: Emulator;

beforeEach(() => {
  emulator = createEmulator();
});

afterEach(async () => {
  await emulator.close();
  for (const end of ended.splice(0)) await end();
});

describe('a listening emulator', () => {
  async function started() {
    const address = await emulator.listen();
    const agent = new Agent();
    ended.push(() => agent.close());
    return { ...address, agent, readme: `${address.hostingUrl}repos/acme/rocket/readme` };
  }

  it('emulator.listen() returns a URL for each API', async () => {
    const { url, port, hostingUrl, supportUrl, consoleUrl, webUrl } = await started();
    expect(url).toBe(`http://127.0.0.1:${port}`);
    expect([hostingUrl, supportUrl, consoleUrl, webUrl]).toEqual([
      `${url}/api/v3/`,
      `${url}/api/v2/`,
      `${url}/`,
      url,
    ]);
  });

  it('keeps responding after a client disconnects during a slow response', async () => {
    const { agent, readme: target } = await started();
    emulator.fail({}, { kind: 'slow', bytes: 10, ms: 5 });
    const { body } = await request(target, { dispatcher: agent, headers: auth });
    for await (const _piece of body) break;
    const next = await request(target, { dispatcher: agent, headers: auth });
    expect(next.statusCode).toBe(200);
    await next.body.dump();
  });

  it('supports repeated headers, reason phrases and large responses', async () => {
    const { agent, url } = await started();
    emulator.hosting.route('GET /large', () => ({ body: 'x'.repeat(5_000_000) }));
    const large = await request(`${url}/api/v3/large`, { dispatcher: agent, headers: auth });
    expect((await large.body.text()).length).toBe(5_000_000);
    const twice = { ...auth, accept: ['text/html', 'text/plain'], cookie: ['a=1', 'b=2'] };
    await (await request(`${url}/api/v3/user`, { dispatcher: agent, headers: twice })).body.dump();
    expect(emulator.requests.at(-1)?.sent.headers.get('accept')).toBe('text/html, text/plain');
    expect(emulator.requests.at(-1)?.sent.headers.get('cookie')).toMatch(/^a=1[;,] b=2$/);
    const refused = await request(`${url}/api/v2/contact/1`, { dispatcher: agent });
    expect([refused.statusCode, refused.statusText]).toEqual([
      401,
      expect.stringContaining('token'),
    ]);
    await refused.body.dump();
    const trace = await request(url, { method: 'TRACE', dispatcher: agent });
    expect([trace.statusCode, await trace.body.text()]).toEqual([405, '']);
    expect(emulator.requests.map(({ method }) => method)).not.toContain('TRACE');
  });
});
