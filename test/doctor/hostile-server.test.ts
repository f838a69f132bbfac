import { createServer, type Socket } from 'node:net';
import { describe, expect, it, onTestFinished } from 'vitest';
import { examine, formatIssue, formatReport } from '../../src/doctor/index.js';
import { type Handler, listening, sendJson, serve } from '../support/server.js';

const token = '0123456789abcdef0123456789abcdef01234567';
const auth = { type: 'token', token } as const;
const notFound: Handler = (_request, response) => sendJson(response, { message: 'no' }, 404);

/** Serves a hosting API whose responses all have the specified headers. */
async function servingHeaders(headers: Readonly<Record<string, string>>, rest = notFound) {
  return await serve((request, response, index) => {
    for (const [name, value] of Object.entries(headers)) response.setHeader(name, value);
    if (request.url === '/api/v3/rate_limit') return sendJson(response, {});
    return rest(request, response, index);
  });
}

const hostingAt = ({ origin }: { readonly origin: string }) => ({
  baseUrl: `${origin}/api/v3/`,
  auth,
});

describe('report', () => {
  it.each([
    ['the token', `repo, ${token}`, 'repo, 1 with unusual names'],
    ['the token in capitals', token.toUpperCase(), '1 with unusual names'],
    ['C1 control characters', 'repo, \u009b31m', 'repo, 1 with unusual names'],
    ['a Markdown image', 'repo, ![x](http://evil.test/x.png)', 'repo, 1 with unusual names'],
    ['a mention', '@everyone', '1 with unusual names'],
    ['HTML', '<img src=x onerror=alert(1)>, user', 'user, 1 with unusual names'],
    ['5000 letters', 'a'.repeat(5000), '1 with unusual names'],
  ])("the doctor's report hides a scope that contains %s", async (_what, scopes, shown) => {
    const server = await servingHeaders({ 'x-oauth-scopes': scopes });
    const report = await examine({ hosting: hostingAt(server), repository: 'o/r' });
    expect(report.families[0]?.facts).toContainEqual({ name: 'scopes', value: shown });
  });

  it("the doctor's report omits a password that a server echoes as a scope, vendor and field name", async () => {
    const password = 'swordfish';
    const rows = [{ id: 1, config: { [password]: 5 } }];
    const server = await servingHeaders(
      { 'x-oauth-scopes': `repo, ${password}`, [`x-${password}-media-type`]: 'v3' },
      (request, response, index) =>
        request.url.startsWith('/api/v3/repos/o/r/hooks')
          ? sendJson(response, rows)
          : notFound(request, response, index),
    );
    const basic = { type: 'basic', username: 'mona', password } as const;
    const hosting = { baseUrl: `${server.origin}/api/v3/`, auth: basic };
    const report = await examine({ hosting, repository: 'o/r' });
    for (const text of [JSON.stringify(report), formatReport(report), formatIssue(report)]) {
      expect(text).not.toContain(password);
    }
    expect(formatReport(report)).toContain('repo, 1 with unusual names');
  });

  it.each<[string, (secret: string) => string]>([
    ['hex', (secret) => Buffer.from(secret).toString('hex')],
    ['Base64', (secret) => Buffer.from(secret).toString('base64url')],
    ['Base64 of the username and password', (secret) => btoa(`mona:${secret}`).replaceAll('=', '')],
  ])("the doctor's report omits a password that a server echoes as %s", async (_how, encode) => {
    const password = 'Swordfish77';
    const echo = encode(password);
    const rows = [{ id: 1, config: { [echo]: 5 } }];
    const server = await servingHeaders(
      { [`x-${echo}-media-type`]: 'v3' },
      (request, response, index) =>
        request.url.startsWith('/api/v3/repos/o/r/hooks')
          ? sendJson(response, rows)
          : notFound(request, response, index),
    );
    const basic = { type: 'basic', username: 'mona', password } as const;
    const hosting = { baseUrl: `${server.origin}/api/v3/`, auth: basic };
    const report = await examine({ hosting, repository: 'o/r' });
    expect(JSON.stringify(report)).toContain('"operation":"hooks.list","outcome":"differs"');
    expect(JSON.stringify(report).toLowerCase()).not.toContain(echo.toLowerCase());
  });

  it('examine() never chooses a repository whose name contains the token', async () => {
    const repos = [`o/${token}`, `${btoa(token).replaceAll('=', '')}/r`, 'o/fine'].map(
      (full_name, at) => ({ id: at, full_name, forks_count: 9 - at }),
    );
    const server = await servingHeaders({}, (request, response, index) =>
      request.url.startsWith('/api/v3/user/repos')
        ? sendJson(response, repos)
        : notFound(request, response, index),
    );
    const report = await examine({ hosting: hostingAt(server) });
    expect(report.repository).toBe('o/fine');
  });

  it('formatReport() escapes control and bidirectional characters in a repository name', () => {
    const repository = 'o/r\u202etxt\u0007';
    const report = { healthy: true, node: process.version, repository, families: [] };
    expect(formatReport(report)).toContain('Repository: o/r%E2%80%AEtxt%07\n');
    expect(formatIssue(report)).not.toContain('o/r');
  });
});

describe('examine()', () => {
  it('examine() stops reading an endless list after 10 requests', async () => {
    const pages = new Map<string, number>();
    const server = await servingHeaders({}, (request, response) => {
      const url = new URL(request.url, 'http://a.test');
      const count = (pages.get(url.pathname) ?? 0) + 1;
      pages.set(url.pathname, count);
      response.setHeader(
        'link',
        `<http://${request.headers.host}${url.pathname}?page=${count + 1}>; rel="next"`,
      );
      sendJson(response, []);
    });
    const report = await examine({ hosting: hostingAt(server), repository: 'o/r' });
    expect(report.families[0]?.endpoints).toContainEqual({
      operation: 'pulls.list',
      outcome: 'fails',
      detail: 'the endpoint needs more than 10 requests',
      differences: [],
    });
    expect(pages.get('/api/v3/repos/o/r/pulls')).toBe(10);
    expect(server.log.length).toBeLessThan(600);
  });

  it('examine() reports endpoints that a rate limit blocks', async () => {
    const server = await servingHeaders({}, (_request, response) => {
      response.setHeader('retry-after', '3600');
      sendJson(response, { message: 'You have exceeded a secondary rate limit' }, 403);
    });
    const report = await examine({ hosting: hostingAt(server), repository: 'o/r' });
    expect(report.families[0]?.endpoints).toContainEqual({
      operation: 'pulls.list',
      outcome: 'untried',
      detail: 'the rate limit is exhausted',
      differences: [],
    });
  });

  it('examine() sends no requests if maxTime is 0', async () => {
    const server = await servingHeaders({});
    const options = { hosting: hostingAt(server), repository: 'o/r', maxTime: 0 };
    const report = await examine(options);
    expect(server.log).toEqual([]);
    expect(report).toMatchObject({ healthy: false, families: [{ reachable: false }] });
  });

  it('examine() times out a TLS handshake that arrives byte by byte', async () => {
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('error', () => undefined);
      // This handshake record announces 16 KB and never completes.
      socket.write(Buffer.from([22, 3, 3, 64, 0]));
      const trickle = setInterval(() => socket.write(Buffer.from([2])), 20);
      socket.once('close', () => clearInterval(trickle));
    });
    onTestFinished(() => {
      for (const socket of sockets) socket.destroy();
    });
    const { port } = await listening(server);
    const baseUrl = `https://127.0.0.1:${port}/api/v3/`;
    const report = await examine({ hosting: { baseUrl }, timeout: 300 });
    expect(report.families[0]?.facts[0]).toMatchObject({
      name: 'TLS',
      value: 'the TLS handshake timed out',
    });
  });
});
