import { getResponse } from 'msw';
import { setupServer } from 'msw/node';
import { request } from 'undici';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { createEmulator, dispatcherOver, type Emulator, seeded } from '../../src/testing/index.js';
import { mswHandlers } from '../../src/testing/msw/index.js';
import { api, origin } from './send-request.js';

const readme = `${api}/repos/acme/rocket/readme`;
const auth = { authorization: `token ${seeded.token}`, 'user-agent': 'test' };
const ended: (() => unknown)[] = [];
let emulator: Emulator;

describe('in-process transports', () => {
  beforeEach(() => {
    emulator = createEmulator();
  });

  afterEach(async () => {
    await emulator.close();
    for (const end of ended.splice(0)) await end();
  });

  describe('emulator.dispatcher()', () => {
    it('applies headersTimeout and bodyTimeout', async () => {
      const dispatcher = emulator.dispatcher();
      emulator.fail({}, { kind: 'hang' });
      await expect(
        request(readme, { dispatcher, headers: auth, headersTimeout: 20 }),
      ).rejects.toThrow('Headers Timeout Error');
      emulator.fail({}, { kind: 'slow', ms: 60_000 });
      const { body } = await request(readme, { dispatcher, headers: auth, bodyTimeout: 20 });
      await expect(body.text()).rejects.toThrow('Body Timeout Error');
      const calm = { dispatcher, headers: auth, headersTimeout: 0, bodyTimeout: 0 };
      expect((await (await request(readme, calm)).body.text()).length).toBeGreaterThan(100);
    });

    it('sends URLs with the scheme and host of the request', async () => {
      const dispatcher = emulator.dispatcher();
      for (const own of ['http://code.test', 'https://code.test:8443']) {
        const url = `${own}/api/v3/repos/acme/rocket/readme`;
        const { body } = await request(url, { dispatcher, headers: auth });
        expect(await body.json()).toMatchObject({ url: expect.stringContaining(`${own}/api/v3/`) });
      }
    });
  });

  describe('dispatcherOver()', () => {
    it('fails a request with the error that the handler throws', async () => {
      const error = new Error('no such fixture');
      const dispatcher = dispatcherOver(() => Promise.reject(error));
      await expect(request(readme, { dispatcher })).rejects.toBe(error);
    });
  });

  describe('MSW integration', () => {
    it('mswHandlers() reports a `reset` fault as a network error', async () => {
      const server = setupServer(...mswHandlers(emulator, origin));
      server.listen({ onUnhandledRequest: 'error' });
      ended.push(() => server.close());
      emulator.fail({}, { kind: 'reset' });
      await expect(fetch(readme)).rejects.toThrow('fetch');
      emulator.fail({}, { kind: 'truncate' });
      const cut = await fetch(readme);
      await expect(cut.text()).rejects.toThrow();
      emulator.fail({}, { kind: 'slow', ms: 1, bytes: 500 });
      const slow = await fetch(readme);
      expect(JSON.parse(await slow.text())).toMatchObject({ name: 'README.md' });
    });

    it('mswHandlers() responds only to requests for the configured origin', async () => {
      const handlers = mswHandlers(emulator, origin);
      expect(
        await getResponse(handlers, new Request('http://other.test/api/v3/user')),
      ).toBeUndefined();
      const any = await getResponse(mswHandlers(emulator), new Request('http://other.test/api/v3'));
      expect(any?.status).toBe(200);
      const named = new Request(`${api}/user?a=%2F`, { headers: { 'user-agent': 'own' } });
      await getResponse(handlers, named);
      await getResponse(handlers, new Request(readme));
      expect(emulator.requests.map(({ path, headers }) => [path, headers['user-agent']])).toEqual([
        ['/api/v3', 'node'],
        ['/api/v3/user?a=%2F', 'own'],
        ['/api/v3/repos/acme/rocket/readme', 'node'],
      ]);
      emulator.fail({}, { kind: 'malformed' });
      expect((await getResponse(handlers, new Request(readme)))?.type).toBe('error');
      emulator.fail({}, { kind: 'slow', ms: 0 });
      const slow = await getResponse(handlers, new Request(`${api}/none`));
      expect([slow?.status, slow?.headers.get('content-type')]).toEqual([
        404,
        'application/json; charset=utf-8',
      ]);
    });
  });
});

// If a reader aborts a body, the emulator must also stop the body's source stream.

it("dispatcherOver() cancels the body's source if the handler aborts the response", async () => {
  let leave: (() => void) | undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });
  const body = new ReadableStream<Uint8Array>({
    pull: (source) => source.enqueue(Buffer.from('x')),
    cancel: () => leave?.(),
  });
  const reported: string[] = [];
  dispatcherOver(async () => new Response(body)).dispatch(
    { origin: 'http://code.test', path: '/', method: 'GET' },
    {
      onRequestStart: () => undefined,
      onResponseData(controller, piece) {
        reported.push(String(piece));
        controller.abort(new RangeError('left'));
      },
      onResponseError: (_controller, error) => void reported.push(error.name),
    },
  );
  await left;
  await expect.poll(() => reported).toEqual(['x', 'RangeError']);
});
