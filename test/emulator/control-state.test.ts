import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { control } from '../../src/testing/control.js';
import { createEmulator, type Emulator } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { callControl } from './control-api.js';
import { sendRequest as askApi } from './send-request.js';

let emulator: Emulator;
const send = callControl(() => emulator);
const origin = 'http://code.test';

beforeEach(() => {
  emulator = createEmulator(noon);
});

describe('control API state', () => {
  it("the control API serves the emulator's state as JSON and as a page", async () => {
    await askApi(emulator, 'GET /user?a=%3C&token=hidden');
    emulator.fail({ path: '</script>' }, { kind: 'hang' });
    const { status, data, type } = await send('GET /state.json');
    expect([status, data, type]).toEqual([
      200,
      emulator.status(),
      'application/json; charset=utf-8',
    ]);
    expect(data).toMatchObject({
      now: '2014-06-01T12:00:00.000Z',
      families: {
        hosting: { 'pull requests': 250 },
        support: { contacts: 250 },
        console: { uploads: 0 },
      },
      requests: [{ id: 1, method: 'GET', status: 200, path: '/api/v3/user?a=%3C&token=***' }],
      received: 1,
      faults: [{ kind: 'hang', match: 'any method </script>', left: 1 }],
    });
    for (const path of ['', '/']) {
      const page = await send(`GET ${path}`);
      expect([page.status, page.type]).toEqual([200, 'text/html; charset=utf-8']);
      const files = [...page.data.matchAll(/(?:src|href)="(.*?)"/g)].map(([, path]) => path);
      expect(files).toContain('/_emulator/status.js');
      for (const file of files) expect(file).toMatch(/^(?:data:|\/_emulator\/)/);
      expect(page.data).toMatch(/^<!doctype html>[\s\S]*<\/html>\n$/);
    }
  });

  it('GET /_emulator/events sends an event after each change until the reader cancels', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const response = await control(emulator, new Request('http://code.test/_emulator/events'));
    const reader = response?.body?.pipeThrough(new TextDecoderStream()).getReader();
    const times: string[] = [];
    for (const seconds of [0, 1, 1]) {
      emulator.clock.advance(seconds * 1000);
      vi.advanceTimersByTime(1000);
      const { value = '' } = (await reader?.read()) ?? {};
      times.push(JSON.parse(value.replace(/^data: /, '')).now);
    }
    expect(times.map((time) => time.slice(17, 19))).toEqual(['00', '01', '02']);
    await reader?.cancel();
    await expect.poll(() => vi.getTimerCount()).toBe(0);
  });

  it('GET /_emulator/events stops polling after the reader aborts the stream', async () => {
    const stop = new AbortController();
    const url = 'http://code.test/_emulator/events';
    await control(emulator, new Request(url, { signal: stop.signal }));
    const clear = vi.spyOn(globalThis, 'clearInterval');
    onTestFinished(() => clear.mockRestore());
    stop.abort();
    expect(clear).toHaveBeenCalledTimes(1);
  });

  it('GET /_emulator/events streams the state immediately and after a clock change', async () => {
    const stop = new AbortController();
    const url = 'http://code.test/_emulator/events';
    const response = await control(emulator, new Request(url, { signal: stop.signal }));
    expect(response?.headers.get('content-type')).toBe('text/event-stream');
    expect(response?.headers.get('cache-control')).toBe('no-store');
    const reader = response?.body?.pipeThrough(new TextDecoderStream()).getReader();
    const next = async () => {
      const { value = '' } = (await reader?.read()) ?? {};
      expect(value).toMatch(/^data: .*\n\n$/);
      return JSON.parse(value.slice(6));
    };
    expect(await next()).toEqual(emulator.status());
    emulator.clock.advance(1000);
    expect(await next()).toMatchObject({ now: '2014-06-01T12:00:01.000Z' });
    stop.abort();
    await reader?.cancel();
  });
});

describe("the emulator's control API", () => {
  it('GET /_emulator/events sends only the latest state to a slow reader', async () => {
    vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
    onTestFinished(() => void vi.useRealTimers());
    const emulator = createEmulator(noon);
    const response = await control(emulator, new Request(`${origin}/_emulator/events`));
    for (let second = 0; second < 1000; second++) {
      emulator.clock.advance(1000);
      vi.advanceTimersByTime(250);
    }
    const reader = response?.body?.pipeThrough(new TextDecoderStream()).getReader();
    const next = async () => {
      const { value = '' } = (await reader?.read()) ?? {};
      return JSON.parse(value.replace(/^data: /, '')).now;
    };
    const first = await next();
    vi.advanceTimersByTime(250);
    const times = [first, await next()];
    emulator.clock.advance(1000);
    vi.advanceTimersByTime(500);
    times.push(await next());
    expect(times.map((time) => time.slice(14, 19))).toEqual(['00:00', '16:40', '16:41']);
    await reader?.cancel();
  });
});

describe('HEAD /_emulator/events', () => {
  it('responds with headers but no body', async () => {
    const request = new Request('http://code.test/_emulator/events', { method: 'HEAD' });
    const response = await control(createEmulator(), request);
    expect([response?.status, response?.body]).toEqual([200, null]);
    expect(response?.headers.get('content-type')).toBe('text/event-stream');
  });
});

describe('control pages', () => {
  it('allow only files and data of the emulator on the status page', async () => {
    for (const path of ['', '/']) {
      const { headers, data } = await send(`GET ${path}`);
      expect(headers.get('content-security-policy')?.split('; ')).toEqual([
        "default-src 'none'",
        "base-uri 'none'",
        "frame-ancestors 'none'",
        'img-src data:',
        "style-src 'self'",
        "script-src 'self'",
        "connect-src 'self'",
      ]);
      expect(data).not.toMatch(/<style|<script[^>]*>[^<]| on\w+=/);
      expect(headers.get('x-frame-options')).toBe('DENY');
      expect(headers.get('x-content-type-options')).toBe('nosniff');
    }
  });

  it.each(['/state.json', '/world.json', '/world.yaml', '/license', '/nothing', '/events'])(
    'prevent other sites from embedding /_emulator%s',
    async (path) => {
      const stop = new AbortController();
      onTestFinished(() => stop.abort());
      const request = new Request(`http://code.test/_emulator${path}`, { signal: stop.signal });
      const response = await control(emulator, request);
      expect(Object.fromEntries(response?.headers ?? [])).toMatchObject({
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
        'x-frame-options': 'DENY',
        'x-content-type-options': 'nosniff',
        'cross-origin-resource-policy': 'same-origin',
      });
      await response?.body?.cancel();
    },
  );
});
