import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { ConfigurationError, ConnectionError } from '../../../src/errors/index.js';
import type { RequestBody } from '../../../src/transport/request/body.js';
import type { Authorizer, Credentials } from '../../../src/transport/request/credentials.js';
import { publish } from '../../../src/transport/request/diagnostics.js';
import { json } from '../../../src/transport/request/endpoint.js';
import { rejectionOf } from '../../support/client.js';
import { AnsweringDispatcher, type Reply } from './dispatch/answering-dispatcher.js';
import { anyJson, createJob, createToken, fixed, transportOver } from './prepared-calls.js';
import { recordChannel } from './recorded-events.js';

const fine: Reply = { body: '"fine"' };
const plain = {
  operation: 'things.get',
  method: 'GET',
  url: 'https://code.example.com/api/v3/thing?page=2',
};
const masked = { ...plain, url: 'https://code.example.com/api/v3/of/***' };
/** A request with its token in the path. */
const telling = {
  spec: { target: { origin: 'https://code.example.com', path: '/api/v3/of/hush99' } },
  authorizer: fixed(createToken('hush99')),
};

const start = Date.UTC(2024, 0, 1);
beforeEach(() => {
  vi.useFakeTimers({ now: start - 1000 });
  // Advances the clock, because `performance.now()` is never 0 in a running process.
  vi.advanceTimersByTime(1000);
});
afterEach(() => {
  vi.useRealTimers();
});

/** Returns a function that advances the fake clock by `ms` and then responds. */
const late = (ms: number, reply: Reply) => () => {
  vi.advanceTimersByTime(ms);
  return reply;
};

describe('attempt events', () => {
  it("the client masks credentials in the events for an attempt's start and end", async () => {
    const [starts, ends] = [
      recordChannel('triforge:request:start'),
      recordChannel('triforge:request:end'),
    ];
    const errors = recordChannel('triforge:request:error');
    const hits = recordChannel('triforge:cache:hit');
    const dispatcher = new AnsweringDispatcher(late(30, { ...fine, status: 201 }));
    await transportOver(dispatcher).perform(createJob(anyJson, telling));
    expect(starts).toEqual([{ request: masked, attempt: 1 }]);
    expect(ends).toEqual([{ request: masked, attempt: 1, status: 201, duration: 30 }]);
    expect({ errors, hits }).toEqual({ errors: [], hits: [] });
  });

  it('the client publishes a URL without credentials unchanged', async () => {
    const starts = recordChannel('triforge:request:start');
    await transportOver(new AnsweringDispatcher([fine])).perform(createJob(anyJson));
    expect(starts).toEqual([{ request: plain, attempt: 1 }]);
  });

  it('the client publishes a connection error if the connection of an attempt fails', async () => {
    const ends = recordChannel('triforge:request:end');
    const errors = recordChannel('triforge:request:error');
    const dispatcher = new AnsweringDispatcher(late(20, { error: new Error('gone') }));
    const job = createJob(anyJson, { ...telling, retry: { limit: 0 } });
    await expect(transportOver(dispatcher).perform(job)).rejects.toThrow(ConnectionError);
    expect(errors).toEqual([{ request: masked, attempt: 1, duration: 20, kind: 'connection' }]);
    expect(ends).toEqual([]);
  });

  it('the client publishes a redirect error if the client rejects a redirect', async () => {
    const errors = recordChannel('triforge:request:error');
    const dispatcher = new AnsweringDispatcher(late(10, { status: 302 }));
    const job = createJob(anyJson, telling);
    const error = await rejectionOf(transportOver(dispatcher).perform(job));
    expect(error).toMatchObject({ name: 'RedirectError', reason: 'bad_location' });
    expect(errors).toEqual([{ request: masked, attempt: 1, duration: 10, kind: 'redirect' }]);
  });

  it("the client publishes an error of kind 'unknown' if the request body can't be opened", async () => {
    const errors = recordChannel('triforge:request:error');
    const body: RequestBody = {
      kind: 'stream',
      replayable: true,
      open: async () => {
        throw new Error('no such file');
      },
    };
    const job = createJob(anyJson, { spec: { method: 'POST', body } });
    const running = transportOver(new AnsweringDispatcher([])).perform(job);
    await expect(running).rejects.toThrow('no such file');
    const request = { ...plain, method: 'POST' };
    expect(errors).toEqual([{ request, attempt: 1, duration: 0, kind: 'unknown' }]);
  });

  it("the client doesn't publish an attempt if the authorizer throws after a wait", async () => {
    const starts = recordChannel('triforge:request:start');
    const errors = recordChannel('triforge:request:error');
    let requests = 0;
    const authorizer: Authorizer = {
      credentialParameters: new Set(),
      credentials: (): Credentials => {
        requests++;
        if (requests > 1) throw new ConfigurationError('no token left', { option: 'auth' });
        return createToken('hush99');
      },
    };
    const transport = transportOver(new AnsweringDispatcher([fine]), { maxConcurrency: 1 });
    const inTheWay = transport.perform(createJob(anyJson));
    const ending = rejectionOf(transport.perform(createJob(anyJson, { authorizer })));
    await inTheWay;
    expect(await ending).toBeInstanceOf(ConfigurationError);
    expect(starts, 'only the first call is published').toHaveLength(1);
    expect(errors).toEqual([]);
  });
});

describe('retry events', () => {
  it('the client publishes the delay and the failed status of each retry', async () => {
    const retries = recordChannel('triforge:retry');
    const dispatcher = new AnsweringDispatcher([{ status: 500 }, { status: 502 }, fine]);
    const job = createJob(anyJson, {
      spec: {
        secrets: ['thing-1'],
        target: { origin: 'https://code.example.com', path: '/api/v3/thing-1?page=2' },
      },
      retry: { baseDelay: 100, maxDelay: 1000 },
    });
    const running = transportOver(dispatcher, {}, { random: () => 0.5 }).perform(job);
    await vi.advanceTimersByTimeAsync(150);
    expect((await running).data).toBe('fine');
    const request = { ...plain, url: 'https://code.example.com/api/v3/***?page=2' };
    expect(retries).toEqual([
      { request, attempt: 1, delay: 50, reason: '500' },
      { request, attempt: 2, delay: 100, reason: '502' },
    ]);
  });

  it('the client publishes a truncated response as the reason for a retry', async () => {
    const retries = recordChannel('triforge:retry');
    const dispatcher = new AnsweringDispatcher([{ status: 200, error: new Error('cut') }, fine]);
    const running = transportOver(dispatcher).perform(createJob(anyJson, telling));
    await vi.advanceTimersByTimeAsync(1);
    expect((await running).data).toBe('fine');
    expect(retries).toEqual([{ request: masked, attempt: 1, delay: 0, reason: 'truncated' }]);
  });

  it.each([
    ['ends in five seconds', 5000, undefined, 5000],
    ['has ended', -5000, undefined, 0],
    ["ends in three seconds on the server's clock", 5000, 'Mon, 01 Jan 2024 00:00:02 GMT', 3000],
  ])(
    "the client publishes the remaining time as the delay if the quota's window %s",
    async (_name, ends, date, delay) => {
      const retries = recordChannel('triforge:retry');
      const headers = {
        date,
        'x-ratelimit-limit': '60',
        'x-ratelimit-remaining': '0',
        'x-ratelimit-reset': `${(start + ends) / 1000}`,
      };
      const dispatcher = new AnsweringDispatcher([{ status: 403, headers }, fine]);
      const transport = transportOver(dispatcher, { rateLimit: { onLimit: 'wait' } });
      const running = transport.perform(createJob(anyJson));
      await vi.advanceTimersByTimeAsync(5000);
      expect((await running).data).toBe('fine');
      expect(retries).toEqual([{ request: plain, attempt: 1, delay, reason: '403' }]);
    },
  );
});

describe('wait events', () => {
  it('the client publishes the operation, duration and reason of a wait', async () => {
    const waits = recordChannel('triforge:wait');
    const dispatcher = new AnsweringDispatcher([
      { status: 429, headers: { 'retry-after': '7' } },
      fine,
    ]);
    const running = transportOver(dispatcher).perform(createJob(anyJson));
    await vi.advanceTimersByTimeAsync(7000);
    await running;
    expect(waits).toEqual([{ operation: 'things.get', delay: 7000, reason: 'pause' }]);
  });
});

describe('shape-drift events', () => {
  it("the client publishes the issues of a response with `validation: 'warn'`", async () => {
    const drifts = recordChannel('triforge:shape-drift');
    const issues = [{ message: 'is wrong', path: ['a'] }];
    const schema = {
      '~standard': { version: 1, vendor: 'test', validate: () => ({ issues }) },
    } as const;
    const job = createJob(json(schema), { ...telling, validation: 'warn' });
    const { data } = await transportOver(new AnsweringDispatcher([fine])).perform(job);
    expect(data).toBe('fine');
    expect(drifts).toEqual([{ request: masked, model: 'its schema', issues }]);
  });
});

describe('publish()', () => {
  it('publish() creates an event only if the channel has a subscriber', () => {
    const made: string[] = [];
    const make = () => {
      made.push('made');
      return { operation: 'things.get', delay: 1, reason: 'quota' } as const;
    };
    publish('triforge:wait', make);
    expect(made).toEqual([]);
    const waits = recordChannel('triforge:wait');
    publish('triforge:wait', make);
    expect(waits).toEqual([{ operation: 'things.get', delay: 1, reason: 'quota' }]);
  });
});
