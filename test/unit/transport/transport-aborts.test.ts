import { getEventListeners } from 'node:events';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import type { Authorizer } from '../../../src/transport/request/credentials.js';
import type { ResponseSpec } from '../../../src/transport/request/endpoint.js';
import { rejectionOf, turns, until } from '../../support/client.js';
import { AnsweringDispatcher, type Reply, silence } from './dispatch/answering-dispatcher.js';
import { anyJson, createJob, createToken, fixed, soon, transportOver } from './prepared-calls.js';
import { recordChannel } from './recorded-events.js';

const fine: Reply = { body: '"fine"' };
const reason = new Error('enough');
const stream: ResponseSpec<unknown> = { ...anyJson, kind: 'stream' };

describe('an abort', () => {
  it('an abort before a call prevents the call from requesting credentials', async () => {
    let requests = 0;
    const authorizer: Authorizer = {
      credentialParameters: new Set(),
      credentials: () => {
        requests++;
        return undefined;
      },
    };
    const dispatcher = new AnsweringDispatcher([fine]);
    const job = createJob(anyJson, { authorizer, signals: [AbortSignal.abort(reason)] });
    expect(await rejectionOf(transportOver(dispatcher).perform(job))).toBe(reason);
    expect({ requests, sent: dispatcher.sent }).toEqual({ requests: 0, sent: [] });
  });

  it('an abort prevents the request if the call still awaits its credentials', async () => {
    const starts = recordChannel('triforge:request:start');
    const abort = new AbortController();
    const authorizer: Authorizer = {
      credentialParameters: new Set(),
      credentials: () => new Promise(() => undefined),
    };
    const job = createJob(anyJson, { authorizer, signals: [abort.signal] });
    const ending = rejectionOf(transportOver(new AnsweringDispatcher([fine])).perform(job));
    abort.abort(reason);
    expect(await soon(ending)).toBe(reason);
    expect(starts).toEqual([]);
  });

  it('an abort removes a call from the queue', async () => {
    const dispatcher = new AnsweringDispatcher((_sent, index) => (index === 0 ? silence : fine));
    const transport = transportOver(dispatcher, { maxConcurrency: 1 });
    const [first, second] = [new AbortController(), new AbortController()];
    const inTheWay = rejectionOf(
      transport.perform(createJob(anyJson, { signals: [first.signal] })),
    );
    const ending = rejectionOf(transport.perform(createJob(anyJson, { signals: [second.signal] })));
    const third = transport.perform(createJob(anyJson));
    await turns(1);
    second.abort(reason);
    expect(await soon(ending)).toBe(reason);
    first.abort(reason);
    await inTheWay;
    expect((await third).data).toBe('fine');
    expect(dispatcher.sent, 'the first and the third call').toHaveLength(2);
  });

  it('an abort ends the wait before a retry', async () => {
    const waits = recordChannel('triforge:retry');
    const abort = new AbortController();
    const dispatcher = new AnsweringDispatcher([
      { status: 503, headers: { 'retry-after': '50' } },
      fine,
    ]);
    const job = createJob(anyJson, { signals: [abort.signal] });
    const ending = rejectionOf(transportOver(dispatcher).perform(job));
    await until('it waits', () => waits.length > 0);
    abort.abort(reason);
    expect(await soon(ending)).toBe(reason);
    expect(dispatcher.sent).toHaveLength(1);
  });

  it('an abort ends a call that awaits its response', async () => {
    const abort = new AbortController();
    const dispatcher = new AnsweringDispatcher([silence, fine]);
    const job = createJob(anyJson, { signals: [abort.signal] });
    const ending = rejectionOf(transportOver(dispatcher).perform(job));
    await turns(1);
    abort.abort(reason);
    expect(await soon(ending)).toBe(reason);
    expect(dispatcher.sent).toHaveLength(1);
  });
});

describe('a timeout', () => {
  it('a timeout error has mayHaveActed: false if the call still awaits its credentials', async () => {
    const authorizer: Authorizer = {
      credentialParameters: new Set(),
      credentials: () => new Promise(() => undefined),
    };
    const timeouts = { total: 2, headers: 0, body: 0 };
    const job = createJob(anyJson, { spec: { method: 'POST' }, authorizer, timeouts });
    const dispatcher = new AnsweringDispatcher([fine]);
    const error = await rejectionOf(transportOver(dispatcher).perform(job));
    expect(error).toMatchObject({ name: 'TimeoutError', reason: 'total', mayHaveActed: false });
    expect(String(error)).toContain(
      'the call did not complete within 2 ms. The server did not execute the request. [POST ',
    );
  });

  it('a timeout error names maxConcurrency if the call waits for other calls', async () => {
    const dispatcher = new AnsweringDispatcher([silence, fine]);
    const transport = transportOver(dispatcher, { maxConcurrency: 1 });
    const first = new AbortController();
    const inTheWay = rejectionOf(
      transport.perform(createJob(anyJson, { signals: [first.signal] })),
    );
    const timeouts = { total: 2, headers: 0, body: 0 };
    const error = await rejectionOf(transport.perform(createJob(anyJson, { timeouts })));
    expect(error).toMatchObject({ name: 'TimeoutError', reason: 'total', mayHaveActed: false });
    expect(String(error)).toContain(
      'did not complete within 2 ms, because it waited for other calls',
    );
    expect(String(error)).toContain('maxConcurrency');
    expect(dispatcher.sent).toHaveLength(1);
    first.abort(reason);
    await inTheWay;
  });
});

describe('settled calls', () => {
  it.each<[string, Reply, number]>([
    ['succeeded', fine, 200],
    ['failed', { status: 404 }, 404],
  ])('a call that %s leaves no timer or listener behind', async (_name, reply, status) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => {
      vi.useRealTimers();
    });
    const { signal } = new AbortController();
    const timeouts = { total: 60_000, headers: 0, body: 0 };
    let during: unknown;
    const left = () => ({
      timers: vi.getTimerCount(),
      listeners: getEventListeners(signal, 'abort').length,
    });
    const dispatcher = new AnsweringDispatcher(() => {
      during = left();
      return reply;
    });
    const job = createJob(anyJson, { signals: [signal], timeouts });
    const ending = transportOver(dispatcher).perform(job);
    await expect(
      ending.then(
        ({ response }) => response.status,
        (error) => error.status,
      ),
    ).resolves.toBe(status);
    expect(during).toEqual({ timers: 1, listeners: 1 });
    expect(left()).toEqual({ timers: 0, listeners: 0 });
  });
});

describe('a streamed response body', () => {
  /** Returns a streamed body that has started, and a function that makes the body fail. */
  async function startStream(job = createJob(stream)) {
    let breakOff = (_error: Error): void => undefined;
    const dispatcher = new AnsweringDispatcher([
      {
        body: 'startStream',
        ending: (fail) => {
          breakOff = fail;
        },
      },
    ]);
    const result = await soon(transportOver(dispatcher).perform(job));
    if (result === 'still running') throw new Error('no stream was returned');
    return { body: streamOf(result.data), breakOff };
  }

  it('a streamed body throws the abort reason if the signal is aborted', async () => {
    const abort = new AbortController();
    const { body } = await startStream(createJob(stream, { signals: [abort.signal] }));
    const ending = rejectionOf(textOf(body));
    await turns(1);
    abort.abort(reason);
    expect(await soon(ending)).toBe(reason);
  });

  it('the error of a truncated streamed body masks credentials', async () => {
    const authorizer = fixed(createToken('hush99'));
    const { body, breakOff } = await startStream(createJob(stream, { authorizer }));
    const ending = rejectionOf(textOf(body));
    breakOff(new Error('lost hush99'));
    expect(await soon(ending)).toMatchObject({
      name: 'ResponseBodyError',
      reason: 'truncated',
      mayHaveActed: true,
      message: expect.stringContaining('truncated: lost ***'),
    });
  });
});

function streamOf(value: unknown): AsyncIterable<unknown> {
  if (typeof value === 'object' && value !== null && Symbol.asyncIterator in value) {
    // `as`: an object with this member is an async iterable.
    return value as AsyncIterable<unknown>;
  }
  throw new Error('expected a stream');
}

async function textOf(body: AsyncIterable<unknown>): Promise<string> {
  let text = '';
  for await (const piece of body) text += String(piece);
  return text;
}
