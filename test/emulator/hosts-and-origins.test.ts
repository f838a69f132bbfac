import { request as sendRequest } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { createEmulator, type Emulator, type EmulatorOptions } from '../../src/testing/index.js';

let emulator: Emulator | undefined;

/** Sends a request with headers that `fetch` doesn't allow. */
async function sendRaw(headers: Record<string, string>, options: EmulatorOptions = {}) {
  emulator = createEmulator(options);
  const { port } = await emulator.listen();
  return await new Promise<{ status: number | undefined; message: string }>((resolve, reject) => {
    const target = { host: '127.0.0.1', port, path: '/api/v3/rate_limit', agent: false };
    const sent = sendRequest(
      { ...target, headers: { 'user-agent': 'test', ...headers } },
      (response) => {
        let text = '';
        response.on('data', (piece) => {
          text += piece;
        });
        response.on('end', () => {
          const { message }: { message: string } = JSON.parse(text);
          resolve({ status: response.statusCode, message });
        });
      },
    );
    sent.on('error', reject).end();
  });
}

afterEach(() => emulator?.close());

/** Headers that only browsers set. */
const from = (site: string, dest: string) => ({ 'sec-fetch-site': site, 'sec-fetch-dest': dest });

describe('a listening emulator', () => {
  it.each<Record<string, string>>([
    { host: 'localhost:4010' },
    { host: 'LOCALHOST' },
    { host: 'code.localhost' },
    { host: '[::1]:80' },
    { origin: 'http://localhost:5173' },
    { origin: 'http://127.0.0.1' },
    from('cross-site', 'document'),
    from('same-origin', 'empty'),
    from('same-site', 'script'),
    from('none', 'document'),
    { ...from('cross-site', 'empty'), origin: 'http://localhost:5173' },
  ])('accepts the header %j', async (headers) => {
    expect((await sendRaw(headers)).status).toBe(200);
  });

  it.each<[Record<string, string>, number]>([
    [{ host: 'a@b' }, 400],
    [{ host: 'a/b' }, 400],
    [{ host: 'rebound.example.com' }, 403],
    [{ host: 'localhost.example.com' }, 403],
    [{ host: '127.0.0.1.example.com' }, 403],
    [{ origin: 'https://evil.example.com' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'nonsense' }, 403],
    ...['image', 'script', 'iframe', 'empty', 'style', ''].map(
      (dest): [Record<string, string>, number] => [from('cross-site', dest), 403],
    ),
  ])('rejects the header %j with a %i', async (headers, status) => {
    const response = await sendRaw(headers);
    expect(response.status).toBe(status);
    expect(response.message).toMatch(/^emulator: /);
    expect(emulator?.requests).toHaveLength(0);
  });

  it('accepts the hosts in allowHosts and the origins in allowOrigins', async () => {
    const options = { allowHosts: ['Code.test'], allowOrigins: ['https://app.test'] };
    expect((await sendRaw({ host: 'code.test:80' }, options)).status).toBe(200);
    await emulator?.close();
    expect((await sendRaw({ origin: 'https://app.test' }, options)).status).toBe(200);
    await emulator?.close();
    expect((await sendRaw({ origin: 'https://other.test' }, options)).status).toBe(403);
  });

  it('lets only pages from allowed origins read responses', async () => {
    emulator = createEmulator({ allowOrigins: ['https://app.test'] });
    const { url } = await emulator.listen();
    const ask = async (origin: string, method = 'GET') => {
      const preflight = { 'access-control-request-method': 'GET' };
      const sent = { origin, ...(method === 'OPTIONS' && preflight) };
      const { status, headers } = await fetch(`${url}/api/v3/`, { method, headers: sent });
      return [status, headers.get('access-control-allow-origin')];
    };
    expect(await ask('https://app.test')).toEqual([200, 'https://app.test']);
    expect(await ask('https://app.test', 'OPTIONS')).toEqual([204, 'https://app.test']);
    expect(await ask('https://other.test', 'OPTIONS')).toEqual([403, null]);
  });
});
