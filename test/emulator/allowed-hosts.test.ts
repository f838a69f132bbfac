import { request as sendRequest } from 'node:http';
import { afterEach, describe, expect, test } from 'vitest';
import { createEmulator, type Emulator, type EmulatorOptions } from '../../src/testing/index.js';

let emulator: Emulator | undefined;

afterEach(() => emulator?.close());

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

describe('a listening emulator', () => {
  test.each([
    { host: 'localhost:4010' },
    { host: 'LOCALHOST' },
    { host: 'code.localhost' },
    { host: '[::1]:80' },
    { origin: 'http://localhost:5173' },
    { origin: 'http://127.0.0.1' },
  ])('a listening emulator accepts the header %j', async (headers) => {
    expect((await sendRaw(headers)).status).toBe(200);
  });

  test.each([
    [{ host: 'a@b' }, 400],
    [{ host: 'a/b' }, 400],
    [{ host: 'rebound.example.com' }, 403],
    [{ host: 'localhost.example.com' }, 403],
    [{ host: '127.0.0.1.example.com' }, 403],
    [{ origin: 'https://evil.example.com' }, 403],
    [{ origin: 'null' }, 403],
    [{ origin: 'nonsense' }, 403],
  ])('a listening emulator rejects the header %j with a %i', async (headers, status) => {
    const response = await sendRaw(headers);
    expect(response.status).toBe(status);
    expect(response.message).toMatch(/^emulator: /);
    expect(emulator?.requests).toHaveLength(0);
  });

  test('a listening emulator accepts the hosts in allowHosts and the origins in allowOrigins', async () => {
    const options = { allowHosts: ['Code.test'], allowOrigins: ['https://app.test'] };
    expect((await sendRaw({ host: 'code.test:80' }, options)).status).toBe(200);
    await emulator?.close();
    expect((await sendRaw({ origin: 'https://app.test' }, options)).status).toBe(200);
    await emulator?.close();
    expect((await sendRaw({ origin: 'https://other.test' }, options)).status).toBe(403);
  });
});

test("the emulator's request log drops its oldest requests if it exceeds 16 MiB", async () => {
  emulator = createEmulator({ seed: false });
  const body = JSON.stringify({ text: 'x'.repeat(1_000_000) });
  for (let count = 0; count < 20; count++) {
    const headers = { 'content-type': 'application/json', 'user-agent': String(count) };
    await emulator.respond(
      new Request('http://code.test/api/v3/hub', { method: 'POST', headers, body }),
    );
  }
  expect(emulator.requests).toHaveLength(4);
  expect(emulator.requests.at(-1)?.headers['user-agent']).toBe('19');
  expect(emulator.status().received).toBe(20);
  emulator.reset();
  expect(emulator.requests).toHaveLength(0);
});

test("the size limit of the emulator's request log includes URLs and headers", async () => {
  const long = 'x'.repeat(50_000);
  const bounded = async (target: string, headers: Record<string, string>) => {
    emulator = createEmulator({ seed: false });
    const url = `http://code.test/api/v3/hub${target}`;
    for (let count = 0; count < 90; count++) await emulator.respond(new Request(url, { headers }));
    return emulator.requests.length;
  };
  // The log counts 4 bytes per character and a few more per entry.
  const most = Math.floor((16 * 1_048_576) / (4 * 50_000));
  for (const kept of [
    await bounded(`?${long}`, {}),
    await bounded('', { [long]: 'short' }),
    await bounded('', { short: long }),
  ]) {
    expect(kept).toBeLessThanOrEqual(most);
    expect(kept).toBeGreaterThan(most - 5);
  }
});

test("the emulator's request log stores deeply nested JSON as text", async () => {
  emulator = createEmulator({ seed: false });
  const body = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
  const headers = { 'content-type': 'application/json', 'user-agent': 'test' };
  const target = 'http://code.test/api/v3/authorizations';
  const { status } = await emulator.respond(new Request(target, { method: 'POST', headers, body }));
  expect(status).toBe(401);
  expect(emulator.requests[0]?.body).toBe(body);
});
