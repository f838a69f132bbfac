import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { control } from '../../src/testing/control.js';
import { createEmulator, type Emulator, seeded } from '../../src/testing/index.js';
import { mona } from './send-request.js';

let emulator: Emulator;
beforeEach(() => {
  emulator = createEmulator();
});

const origin = 'http://code.test';
const browser = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };
const authorize = '/login/oauth/authorize';

async function read(response: Response | undefined) {
  if (!response) throw new Error('the request is not for the control pages');
  const policy = response.headers.get('content-security-policy') ?? '';
  return {
    status: response.status,
    headers: response.headers,
    policy,
    text: await response.text(),
  };
}

const open = async (path: string, init: RequestInit = { headers: browser }) =>
  read(await emulator.respond(new Request(origin + path, init)));
const steer = async (path: string, init?: RequestInit) =>
  read(await control(emulator, new Request(`${origin}/_emulator${path}`, init)));

/** Returns the CSP hash of a page's inline style. */
function hashStyle(text: string): string {
  const [, style = ''] = /<style>(.*?)<\/style>/s.exec(text) ?? [];
  return `'sha256-${createHash('sha256').update(style).digest('base64')}'`;
}

describe('Content-Security-Policy', () => {
  it("the status page's Content-Security-Policy allows only files and data of the emulator", async () => {
    for (const path of ['', '/']) {
      const { headers, policy, text } = await steer(path);
      expect(policy.split('; ')).toEqual([
        "default-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        'img-src data:',
        "style-src 'self'",
        "script-src 'self'",
        "connect-src 'self'",
      ]);
      expect(text).not.toMatch(/<style|<script[^>]*>[^<]| on\w+=/);
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it("the authorize page's Content-Security-Policy allows no scripts", async () => {
    const approve = `${authorize}?client_id=${seeded.clientId}`;
    for (const path of [approve, `${authorize}?client_id=unknown`, authorize]) {
      const { headers, policy, text } = await open(path);
      expect(headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(policy).toContain("default-src 'none'");
      expect(policy).toContain("frame-ancestors 'none'");
      expect(policy).toContain(`style-src ${hashStyle(text)}`);
      expect(policy).not.toMatch(/script-src|form-action|unsafe/);
      expect(text).not.toContain('<script');
    }
  });

  it.each(['/state.json', '/world.json', '/world.yaml', '/license', '/nothing', '/events'])(
    'the response headers prevent other sites from embedding /_emulator%s',
    async (path) => {
      const stop = new AbortController();
      onTestFinished(() => stop.abort());
      const request = new Request(`${origin}/_emulator${path}`, { signal: stop.signal });
      const response = await control(emulator, request);
      expect(response?.headers.get('content-security-policy')).toBe(
        "default-src 'none'; frame-ancestors 'none'",
      );
      expect(response?.headers.get('x-frame-options')).toBe('DENY');
      expect(response?.headers.get('x-content-type-options')).toBe('nosniff');
      expect(response?.headers.get('cross-origin-resource-policy')).toBe('same-origin');
      await response?.body?.cancel();
    },
  );
});

describe('the OAuth authorize endpoint', () => {
  it.each([
    [
      'an unknown client_id',
      `${authorize}?client_id=<script>`,
      'No application has the client_id &lt;script&gt;.',
    ],
    ['a missing client_id', authorize, 'The URL has no client_id.'],
  ])('the authorize endpoint returns an HTML error page for %s', async (_name, path, words) => {
    const { status, text } = await open(path);
    expect(status).toBe(404);
    expect(text).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
    expect(text).toContain(words);
  });

  it('the authorize endpoint returns an HTML error page for a form with an unknown application', async () => {
    const body = new URLSearchParams({ client_id: 'gone', decision: 'approve' });
    const { status, text } = await open(authorize, { method: 'POST', headers: browser, body });
    expect([status, text]).toEqual([404, expect.stringContaining('the client_id gone.')]);
  });

  it('the authorize endpoint returns an HTML error page if no user is signed in', async () => {
    emulator = createEmulator({ seed: false });
    const { clientId } = emulator.hosting.addApplication('App');
    const { status, text } = await open(`${authorize}?client_id=${clientId}`);
    expect([status, text]).toEqual([404, expect.stringContaining('No user is signed in')]);
  });

  it.each(['*/*', 'application/json', ''])(
    'the authorize endpoint returns a JSON error if the Accept header is %j',
    async (accept) => {
      const headers: Record<string, string> = accept === '' ? {} : { accept };
      const { status, text } = await open(`${authorize}?client_id=unknown`, { headers });
      expect([status, JSON.parse(text)]).toEqual([
        404,
        { message: 'Not Found', documentation_url: expect.any(String) },
      ]);
    },
  );
});

describe('release asset downloads', () => {
  const download = async (name: string, headers: Record<string, string> = {}) => {
    const release = emulator.hosting.addRelease('acme/rocket', `v-${emulator.requests.length}`);
    const content = Buffer.from('<script>alert(1)</script>');
    const { id } = emulator.hosting.addAsset(release, name, { content, contentType: 'text/html' });
    const direct = await open(`/api/v3/repos/acme/rocket/releases/assets/${id}`, {
      headers: {
        authorization: mona,
        accept: 'application/octet-stream',
        'user-agent': 't',
        ...headers,
      },
    });
    const fromStore = await open(`/assets/acme/rocket/${id}`, {
      headers: { ...browser, ...headers },
    });
    return [direct, fromStore];
  };

  it('a release asset download has headers that make browsers save the file', async () => {
    for (const headers of [{}, { range: 'bytes=0-3' }, { range: 'bytes=900-' }]) {
      for (const { headers: got } of await download('page.html', headers)) {
        expect(got.get('content-disposition')).toBe('attachment; filename=page.html');
        expect(got.get('x-content-type-options')).toBe('nosniff');
        expect(got.get('content-type')).toBe('text/html');
      }
    }
  });

  it.each([
    ['a b"; x=1.svg', `filename=a_b___x_1.svg; filename*=UTF-8''a%20b%22%3B%20x%3D1.svg`],
    ['naïve(1)\r\n.txt', `filename=na_ve_1___.txt; filename*=UTF-8''na%C3%AFve%281%29%0D%0A.txt`],
    ['\ud800.bin', `filename=_.bin; filename*=UTF-8''%EF%BF%BD.bin`],
  ])(
    'a release asset download encodes the file name %j in Content-Disposition',
    async (name, words) => {
      for (const { headers } of await download(name)) {
        expect(headers.get('content-disposition')).toBe(`attachment; ${words}`);
      }
    },
  );
});

describe('hook deliveries to control pages', () => {
  it.each([
    'http://127.0.0.1:4010/_emulator/reset',
    'http://127.0.0.1:4010/x/..//../_emulator/reset',
    'http://LOCALHOST:1/_emulator',
    'https://user:pw@[::1]/_emulator/clock?a=b#c',
  ])('the emulator rejects a hook delivery to its control pages at %s', async (url) => {
    emulator.hosting.allowDeliveries(() => true);
    emulator.hosting.addHook('acme/rocket', { url }, { events: ['push'] });
    emulator.hosting.emit('acme/rocket', 'push', {});
    await emulator.hosting.deliveriesSettled();
    expect(emulator.hosting.deliveries).toMatchObject([
      { status: undefined, error: "deliveries to the emulator's control pages are not allowed" },
    ]);
  });
});

describe('a listening emulator', () => {
  /** Sends a GET with headers that only browsers set, and returns the status. */
  const status = async (headers: Record<string, string>) => {
    const { port } = await emulator.listen();
    onTestFinished(() => emulator.close());
    return await new Promise((resolve, reject) => {
      const target = { host: '127.0.0.1', port, path: '/api/v3/rate_limit', agent: false };
      const sent = request({ ...target, headers: { 'user-agent': 'test', ...headers } });
      sent.on('response', (response) => resolve(response.resume().statusCode));
      sent.on('error', reject).end();
    });
  };
  const from = (site: string, dest: string) => ({ 'sec-fetch-site': site, 'sec-fetch-dest': dest });

  it.each(['image', 'script', 'iframe', 'empty', 'style', ''])(
    'a listening emulator rejects a cross-site request with Sec-Fetch-Dest: %j',
    async (dest) => {
      expect(await status(from('cross-site', dest))).toBe(403);
      expect(emulator.requests).toEqual([]);
    },
  );

  it.each([
    from('cross-site', 'document'),
    from('same-origin', 'empty'),
    from('same-site', 'script'),
    from('none', 'document'),
    { ...from('cross-site', 'empty'), origin: 'http://localhost:5173' },
  ])('a listening emulator accepts a request with the headers %j', async (headers) => {
    expect(await status(headers)).toBe(200);
  });
});
