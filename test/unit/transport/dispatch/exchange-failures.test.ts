import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { InvalidRequestError } from '../../../../src/errors/index.js';
import { Deadline } from '../../../../src/transport/dispatch/deadline.js';
import { type AttemptOptions, attempt } from '../scripted-dispatcher.js';

/** Starts an attempt and returns a function that stops it. */
function stoppable(options: AttemptOptions = {}) {
  const caller = new AbortController();
  const deadline = new Deadline([caller.signal], 0);
  return { ...attempt({ ...options, deadline }), deadline, stop: () => caller.abort() };
}

const stopped = new Error('the caller aborted the request');

describe('a connection failure', () => {
  it('a failure has sent: false if the connection was never established', async () => {
    const { dispatcher, outcome } = attempt();
    const cause = new Error('refused');
    dispatcher.fail(cause);
    const failure = await outcome;
    expect(failure).toStrictEqual({
      failed: true,
      kind: 'connection',
      cause,
      sent: false,
      reused: false,
      status: undefined,
    });
    expect(failure.failed && failure.cause).toBe(cause);
  });

  it('a failure has sent: true if the connection was established', async () => {
    const { dispatcher, outcome } = attempt();
    dispatcher.start().fail(new Error('reset'));
    expect(await outcome).toMatchObject({ kind: 'connection', sent: true, status: undefined });
  });

  it('a failure after an interim response has no status', async () => {
    const { dispatcher, outcome } = attempt();
    dispatcher.start().head(103, { link: '</a.css>' }).fail(new Error('reset'));
    expect(await outcome).toMatchObject({ kind: 'connection', sent: true, status: undefined });
  });

  it('a failure after the body has started has the kind truncated', async () => {
    const { dispatcher, outcome } = attempt();
    const cause = new Error('reset');
    dispatcher.start().head(200).data('some').fail(cause);
    expect(await outcome).toStrictEqual({
      failed: true,
      kind: 'truncated',
      cause,
      sent: true,
      reused: false,
      status: 200,
    });
  });

  it('a failure has reused: true if the socket wrote more than the request', async () => {
    const { dispatcher, outcome } = attempt();
    const socket = { bytesRead: 4000, bytesWritten: 4000 };
    dispatcher.start().fail(Object.assign(new Error('reset'), { socket }));
    const failure = await outcome;
    expect(failure.failed && failure.reused).toBe(true);
  });

  it.each([
    ['timeout_connect', 'UND_ERR_CONNECT_TIMEOUT'],
    ['timeout_headers', 'UND_ERR_HEADERS_TIMEOUT'],
    ['timeout_body', 'UND_ERR_BODY_TIMEOUT'],
    ['connection', 'UND_ERR_SOCKET'],
  ])('a failure has the kind %s for the error code %s', async (kind, code) => {
    const { dispatcher, outcome } = attempt();
    dispatcher.fail(Object.assign(new Error('undici says so'), { code }));
    expect(await outcome).toMatchObject({ kind, status: undefined });
  });

  it('a failure has the kind invalid_body for an InvalidRequestError', async () => {
    const { dispatcher, outcome } = attempt();
    const cause = new InvalidRequestError('file: the data has 3 bytes', { field: 'file' });
    dispatcher.start().fail(cause);
    const failure = await outcome;
    expect(failure).toMatchObject({ failed: true, kind: 'invalid_body' });
    expect(failure.failed && failure.cause).toBe(cause);
  });

  it.each([null, undefined, 'shut down', 7])('a failure keeps the cause %o', async (cause) => {
    const { dispatcher, outcome } = attempt();
    dispatcher.start().fail(cause);
    expect(await outcome).toStrictEqual({
      failed: true,
      kind: 'connection',
      cause,
      sent: true,
      reused: false,
      status: undefined,
    });
  });
});

describe('a stopped attempt', () => {
  it('an attempt never dispatches its request if the signal is already aborted', async () => {
    const caller = AbortSignal.abort();
    const stream = new Readable({ read: () => undefined });
    const open = { stream, contentType: 'image/png', length: undefined };
    const { dispatcher, outcome } = attempt({
      deadline: new Deadline([caller], 0),
      request: { body: { kind: 'stream', replayable: true, open: () => Promise.resolve(open) } },
    });
    expect(await outcome).toStrictEqual({
      failed: true,
      kind: 'interrupted',
      cause: stopped,
      sent: false,
      reused: false,
      status: undefined,
    });
    expect(dispatcher.dispatched).toEqual([]);
    expect(stream.destroyed).toBe(true);
  });

  it('an abort before the connection is established prevents the request', async () => {
    const { dispatcher, outcome, stop } = stoppable();
    stop();
    expect(await outcome).toMatchObject({ kind: 'interrupted', sent: false });
    expect(dispatcher.controller.aborts).toEqual([]);
    dispatcher.start();
    expect(dispatcher.controller.aborts).toStrictEqual([
      new Error('the request was aborted before it was sent'),
    ]);
  });

  it('an abort after a response has started aborts the connection with the reported cause', async () => {
    const { dispatcher, outcome, stop } = stoppable();
    dispatcher.start().head(200).data('some');
    stop();
    const failure = await outcome;
    expect(failure).toStrictEqual({
      failed: true,
      kind: 'interrupted',
      cause: stopped,
      sent: true,
      reused: false,
      status: 200,
    });
    const { aborts } = dispatcher.controller;
    expect(aborts).toStrictEqual([stopped]);
    expect(failure.failed && failure.cause).toBe(aborts[0]);
  });

  it('an attempt returns a complete response despite a later abort', async () => {
    const { dispatcher, outcome, stop } = stoppable();
    dispatcher.start().head(200).end();
    stop();
    expect(await outcome).toMatchObject({ failed: false, status: 200 });
    expect(dispatcher.controller.aborts).toEqual([]);
  });
});

describe('an ended attempt', () => {
  it("an ended attempt doesn't start a stream for late data", async () => {
    const failures: unknown[] = [];
    const { dispatcher, outcome, stop } = stoppable({
      limits: {
        stream: (failure) => {
          failures.push(failure);
          return new Error('never');
        },
      },
    });
    dispatcher.start();
    stop();
    dispatcher
      .head(200)
      .data(1024 * 1024)
      .fail(new Error('aborted'));
    expect(await outcome).toMatchObject({ kind: 'interrupted', status: undefined });
    expect(dispatcher.controller).toMatchObject({ aborts: [stopped], pauses: 0 });
    expect(failures).toEqual([]);
  });

  it("an ended attempt doesn't count late data against maxBytes", async () => {
    const { dispatcher, outcome, stop } = stoppable({ limits: { maxBytes: 10 } });
    dispatcher.start().head(200);
    stop();
    dispatcher.data(11).end();
    expect(await outcome).toMatchObject({ kind: 'interrupted', status: 200 });
    expect(dispatcher.controller.aborts).toStrictEqual([stopped]);
  });

  it('an ended attempt keeps later work registered with the deadline', async () => {
    const { dispatcher, outcome, deadline, stop } = stoppable();
    dispatcher.start().head(503).end();
    let stops = 0;
    deadline.onStop = () => {
      stops += 1;
    };
    dispatcher.head(200).data('late').end().fail(new Error('late'));
    stop();
    expect(await outcome).toMatchObject({ status: 503, body: Buffer.alloc(0) });
    expect(stops).toBe(1);
  });
});
