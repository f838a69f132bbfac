import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import {
  ConnectionError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ServerError,
  TimeoutError,
} from '../../../src/errors/index.js';
import type { RequestBody } from '../../../src/transport/request/body.js';
import { noContent } from '../../../src/transport/request/endpoint.js';
import { rejectionOf } from '../../support/client.js';
import { AnsweringDispatcher, type Reply } from './dispatch/answering-dispatcher.js';
import {
  anyJson,
  createJob,
  createToken,
  fixed,
  staleSocket,
  transportOver,
} from './prepared-calls.js';

const fine: Reply = { body: '"fine"' };

describe('an idempotent DELETE', () => {
  const remove = createJob(noContent, { spec: { method: 'DELETE', retry: 'idempotent' } });

  it('an idempotent DELETE succeeds if a retry gets a 404', async () => {
    const dispatcher = new AnsweringDispatcher([{ status: 502 }, { status: 404, body: '{}' }]);
    const { response } = await transportOver(dispatcher).perform(remove);
    expect(response).toMatchObject({ status: 204, statusText: '', attempts: 2 });
  });

  it('an idempotent DELETE throws a PermissionError if a retry gets a 403', async () => {
    const dispatcher = new AnsweringDispatcher([{ status: 502 }, { status: 403 }]);
    await expect(transportOver(dispatcher).perform(remove)).rejects.toThrow(PermissionError);
  });

  it('an idempotent DELETE throws a NotFoundError if the first attempt gets a 404', async () => {
    const dispatcher = new AnsweringDispatcher([{ status: 404 }]);
    await expect(transportOver(dispatcher).perform(remove)).rejects.toThrow(NotFoundError);
  });

  it('an idempotent DELETE throws a NotFoundError if the target of a 303 is missing', async () => {
    const dispatcher = new AnsweringDispatcher([
      { status: 303, headers: { location: '/api/v3/result' } },
      { status: 404 },
    ]);
    const error = await rejectionOf(transportOver(dispatcher).perform(remove));
    expect(error).toBeInstanceOf(NotFoundError);
    expect(error).toMatchObject({ mayHaveActed: true });
  });
});

describe('failures', () => {
  it('the client throws a NotFoundError if a retried GET gets a 404', async () => {
    const dispatcher = new AnsweringDispatcher([{ status: 502 }, { status: 404 }]);
    const running = transportOver(dispatcher).perform(createJob(anyJson));
    await expect(running).rejects.toThrow(NotFoundError);
  });

  it.each<[string, Reply, boolean]>([
    ['reports mayHaveActed: false after a 422', { status: 422 }, false],
    ['reports mayHaveActed: true after a 500', { status: 500 }, true],
    ['reports mayHaveActed: true after a lost connection', { error: new Error('gone') }, true],
    [
      'reports mayHaveActed: true if the result of an executed request is missing',
      { status: 303, headers: { location: '/x' } },
      true,
    ],
  ])('the error of a failed POST %s', async (_name, reply, mayHaveActed) => {
    const dispatcher = new AnsweringDispatcher([reply, { status: 404 }]);
    const job = createJob(noContent, { spec: { method: 'POST' } });
    const error = await rejectionOf(transportOver(dispatcher).perform(job));
    expect(error).toMatchObject({ mayHaveActed });
  });

  it.each([
    ['retries a PUT if its body can be opened again', true, 2],
    ['sends a PUT once if its body can be read only once', false, 1],
  ])('the client %s', async (_name, replayable, sent) => {
    const open = async () => ({
      stream: Readable.from(['text']),
      contentType: 'text/plain',
      length: 4,
    });
    const body: RequestBody = { kind: 'stream', replayable, open };
    const dispatcher = new AnsweringDispatcher(() => ({ status: 500 }));
    const spec = { method: 'PUT', retry: 'idempotent', body } as const;
    const job = createJob(noContent, { spec, retry: { limit: 1 } });
    await expect(transportOver(dispatcher).perform(job)).rejects.toThrow(ServerError);
    expect(dispatcher.sent).toHaveLength(sent);
  });
});

describe('stale sockets', () => {
  it('the client repeats a request after a stale socket without counting a retry', async () => {
    const stale = { error: staleSocket };
    const dispatcher = new AnsweringDispatcher([stale, stale, stale, { status: 500 }, fine]);
    const job = createJob(anyJson, { retry: { limit: 1 } });
    const { data, response } = await transportOver(dispatcher).perform(job);
    expect(data).toBe('fine');
    expect(response?.attempts).toBe(5);
  });

  it('the client counts each repeat after a stale socket as a retry from the ninth repeat on', async () => {
    const dispatcher = new AnsweringDispatcher((_sent, index) =>
      index < 30 ? { error: staleSocket } : fine,
    );
    const job = createJob(anyJson, { retry: { limit: 1 } });
    await expect(transportOver(dispatcher).perform(job)).rejects.toThrow(ConnectionError);
    expect(dispatcher.sent).toHaveLength(10);
  });
});

describe('a secondary limit', () => {
  const now = Date.UTC(2024, 0, 1);
  const limited: Reply = { status: 429, headers: { 'retry-after': '7' } };

  it('a secondary limit pauses the whole client for the time in Retry-After', async () => {
    const dispatcher = new AnsweringDispatcher([limited, fine]);
    const transport = transportOver(
      dispatcher,
      { rateLimit: { maxWait: 1000 } },
      { now: () => now, clock: () => 100 },
    );
    const job = createJob(anyJson, { retry: { limit: 0 } });
    const first = await rejectionOf(transport.perform(job));
    expect(first).toMatchObject({ name: 'RateLimitError', response: { status: 429, attempts: 1 } });
    const second = await rejectionOf(transport.perform(job));
    expect(second).toBeInstanceOf(RateLimitError);
    expect(second).toMatchObject({
      reason: 'secondary',
      retryAfter: 7000,
      resetAt: new Date(now + 7000),
    });
    expect(dispatcher.sent, 'the second call was not sent').toHaveLength(1);
  });

  it("the client doesn't pause calls if an untrusted redirect target reports a secondary limit", async () => {
    const dispatcher = new AnsweringDispatcher([
      { status: 302, headers: { location: 'https://elsewhere.example.net/thing' } },
      limited,
      fine,
    ]);
    const transport = transportOver(
      dispatcher,
      { rateLimit: { maxWait: 1000 } },
      { now: () => now },
    );
    await rejectionOf(transport.perform(createJob(anyJson)));
    expect(dispatcher.sent, 'the call is not retried').toHaveLength(2);
    expect((await transport.perform(createJob(anyJson))).data).toBe('fine');
  });
});

describe('waits before a retry', () => {
  const start = Date.UTC(2024, 0, 1);
  beforeEach(() => {
    vi.useFakeTimers({ now: start });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const timeouts = { total: 1000, headers: 0, body: 0 };
  const usedUp = (wait: number, more: Reply['headers'] = {}): Reply => ({
    status: 403,
    headers: {
      'x-ratelimit-limit': '60',
      'x-ratelimit-remaining': '0',
      'x-ratelimit-reset': `${(start + wait) / 1000}`,
      ...more,
    },
  });

  it.each([
    ["as long as the call's remaining time", '1'],
    ["longer than the call's remaining time", '2'],
  ])(
    'the client throws without a retry if the wait before the retry is %s',
    async (_name, seconds) => {
      const dispatcher = new AnsweringDispatcher([
        { status: 503, headers: { 'retry-after': seconds } },
        fine,
      ]);
      const ending = rejectionOf(
        transportOver(dispatcher).perform(createJob(anyJson, { timeouts })),
      );
      await vi.advanceTimersByTimeAsync(5000);
      expect(await ending).toBeInstanceOf(ServerError);
      expect(dispatcher.sent).toHaveLength(1);
    },
  );

  it("the client retries after a wait that is shorter than the call's remaining time", async () => {
    const dispatcher = new AnsweringDispatcher([
      { status: 503, headers: { 'retry-after': '1' } },
      fine,
    ]);
    const job = createJob(anyJson, { timeouts: { ...timeouts, total: 1001 } });
    const running = transportOver(dispatcher).perform(job);
    await vi.advanceTimersByTimeAsync(999);
    expect(dispatcher.sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect((await running).data).toBe('fine');
  });

  it('the client masks secrets in the TimeoutError of a call that waits for a retry', async () => {
    const dispatcher = new AnsweringDispatcher([
      { status: 500, headers: { 'retry-after': '1' } },
      fine,
    ]);
    const job = createJob(anyJson, {
      spec: { target: { origin: 'https://code.example.com', path: '/api/v3/of/hush99' } },
      authorizer: fixed(createToken('hush99')),
      timeouts: { ...timeouts, total: 1000.5 },
    });
    const ending = rejectionOf(transportOver(dispatcher).perform(job));
    await vi.advanceTimersByTimeAsync(1000);
    const error = await ending;
    expect(error).toBeInstanceOf(TimeoutError);
    expect(error).toMatchObject({
      reason: 'total',
      mayHaveActed: true,
      request: { url: 'https://code.example.com/api/v3/of/***' },
    });
    expect(dispatcher.sent).toHaveLength(1);
  });

  it("the client doesn't set a timer for a wait of 0 ms", async () => {
    const timers = vi.spyOn(globalThis, 'setTimeout').mockImplementation(() => {
      throw new Error('a timer was set');
    });
    const dispatcher = new AnsweringDispatcher([{ status: 500 }, fine]);
    expect((await transportOver(dispatcher).perform(createJob(anyJson))).data).toBe('fine');
    expect(timers).not.toHaveBeenCalled();
    timers.mockRestore();
  });

  describe('exhausted quotas', () => {
    const waiting = { rateLimit: { onLimit: 'wait', maxWait: 5000 } } as const;

    it.each([
      ['as long as maxWait', usedUp(5000), 5000],
      [
        'calculated from the server clock, which is ahead',
        usedUp(3_605_000, { date: 'Mon, 01 Jan 2024 01:00:00 GMT' }),
        5000,
      ],
      [
        'for a quota without x-ratelimit-limit',
        usedUp(2000, { 'x-ratelimit-limit': undefined }),
        2000,
      ],
      [
        'specified only by Retry-After',
        usedUp(0, { 'x-ratelimit-reset': undefined, 'retry-after': '3' }),
        3000,
      ],
    ])('the timeout excludes a wait %s', async (_name, answer, wait) => {
      const dispatcher = new AnsweringDispatcher([answer, fine]);
      const running = transportOver(dispatcher, waiting).perform(createJob(anyJson, { timeouts }));
      await vi.advanceTimersByTimeAsync(wait - 1);
      expect(dispatcher.sent).toHaveLength(1);
      await vi.advanceTimersByTimeAsync(1);
      expect((await running).data).toBe('fine');
    });

    it.each([
      ['the wait exceeds maxWait', usedUp(6000), waiting],
      [
        'the response specifies no reset time',
        usedUp(0, { 'x-ratelimit-reset': undefined }),
        waiting,
      ],
      ["onLimit is 'throw'", usedUp(1000), {}],
    ])(
      'the client throws the RateLimitError without a wait if %s',
      async (_name, answer, options) => {
        const dispatcher = new AnsweringDispatcher([answer, fine]);
        const error = await rejectionOf(
          transportOver(dispatcher, options).perform(createJob(anyJson)),
        );
        expect(error).toBeInstanceOf(RateLimitError);
        expect(error).toMatchObject({ reason: 'primary', response: { status: 403, attempts: 1 } });
      },
    );
  });

  it('the timeout excludes a wait for a secondary limit', async () => {
    const dispatcher = new AnsweringDispatcher([
      { status: 429, headers: { 'retry-after': '7' } },
      fine,
    ]);
    const running = transportOver(dispatcher).perform(createJob(anyJson, { timeouts }));
    await vi.advanceTimersByTimeAsync(6999);
    expect(dispatcher.sent).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(1);
    expect((await running).data).toBe('fine');
  });
});
