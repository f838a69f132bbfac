import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { Deadline } from '../../../../src/transport/dispatch/deadline.js';
import type { Failure } from '../../../../src/transport/http/raw-response.js';
import { turns } from '../../../support/client.js';
import { attempt, type ScriptedDispatcher, streamOf } from '../scripted-dispatcher.js';

/**
 * Starts an attempt that streams a 2xx response. Collects the failures that the stream converts to
 * errors.
 */
function streaming(maxBytes?: number) {
  const failures: Failure[] = [];
  const named = new Error('as the caller sees it');
  const started = attempt({
    limits: {
      ...(maxBytes === undefined ? {} : { maxBytes }),
      stream: (failure) => {
        failures.push(failure);
        return named;
      },
    },
  });
  return { ...started, failures, named };
}

describe('complete responses', () => {
  it('an attempt returns the status, status text, headers and body as received', async () => {
    const { dispatcher, outcome } = attempt();
    const headers = { 'x-note': ['a', 'b'], 'content-length': '9' };
    dispatcher.start().head(404, headers, 'Not Found').data('not ').data('found').end();
    const response = await outcome;
    expect(response).toStrictEqual({
      failed: false,
      status: 404,
      statusText: 'Not Found',
      headers,
      body: Buffer.from('not found'),
    });
    expect(dispatcher.controller).toMatchObject({ aborts: [], pauses: 0, resumes: 0 });
  });

  it('an attempt returns an empty status text and body if the server sends neither', async () => {
    const { dispatcher, outcome } = attempt();
    dispatcher.start().head(204).end();
    expect(await outcome).toStrictEqual({
      failed: false,
      status: 204,
      statusText: '',
      headers: {},
      body: Buffer.alloc(0),
    });
  });

  it('an attempt returns status 0 and no headers if the dispatcher reports no response head', async () => {
    const { dispatcher, outcome } = attempt();
    dispatcher.start().end();
    expect(await outcome).toMatchObject({ status: 0, statusText: '', headers: {} });
  });

  it('an attempt rejects a body longer than maxBytes', async () => {
    const exact = attempt({ limits: { maxBytes: 10 } });
    exact.dispatcher.start().head(200).data(6).data(4).end();
    expect(await exact.outcome).toMatchObject({ failed: false, body: Buffer.from('xxxxxxxxxx') });
    expect(exact.dispatcher.controller.aborts).toEqual([]);

    const more = attempt({ limits: { maxBytes: 10 } });
    more.dispatcher.start().head(200).data(6).data(5).data(1).end();
    const [cause, again] = more.dispatcher.controller.aborts;
    expect(cause).toStrictEqual(new Error('received more than 10 bytes'));
    expect(again).toBeUndefined();
    const failure = await more.outcome;
    expect(failure).toStrictEqual({
      failed: true,
      kind: 'too_large',
      cause,
      sent: true,
      reused: false,
      status: 200,
    });
  });
});

describe('encoded bodies', () => {
  const plain = Buffer.alloc(100, 'z');
  const encoded = gzipSync(plain);
  const receive = (coding: string, body: Buffer, maxBytes = 100) => {
    const { dispatcher, outcome } = attempt({ limits: { maxBytes } });
    dispatcher.start().head(200, { 'content-encoding': coding }, 'OK').data(body).end();
    return outcome;
  };

  it('an attempt decodes a gzip body', async () => {
    expect(await receive('gzip', encoded)).toStrictEqual({
      failed: false,
      status: 200,
      statusText: 'OK',
      headers: { 'content-encoding': 'gzip' },
      body: plain,
    });
  });

  it.each([
    ['a body that decodes to one byte more than the limit', 'gzip', encoded, 'too_large'],
    ['a body whose end is missing', 'gzip', encoded.subarray(0, -9), 'truncated'],
    ['a body that is not in the declared format', 'gzip', plain, 'undecodable'],
    ['a coding that was not requested', 'zstd', plain, 'undecodable'],
  ])('an attempt rejects %s', async (_, coding, body, kind) => {
    const outcome = await receive(coding, body, kind === 'too_large' ? 99 : 100);
    expect(outcome).toStrictEqual({
      failed: true,
      kind,
      cause: expect.any(Error),
      sent: true,
      status: 200,
    });
  });

  it('an attempt returns a body with the coding identity unchanged', async () => {
    expect(await receive('identity', plain)).toMatchObject({
      body: plain,
    });
  });

  it('an attempt returns an empty encoded body without decoding', async () => {
    expect(await receive('gzip', Buffer.alloc(0))).toMatchObject({
      failed: false,
      body: Buffer.alloc(0),
    });
  });
});

describe('streamed responses', () => {
  it('an attempt returns a streamed response before its body arrives', async () => {
    const { dispatcher, outcome } = streaming();
    dispatcher.start().head(200, { 'x-note': 'a' }, 'OK');
    const response = await outcome;
    const body = streamOf(response);
    expect(response).toStrictEqual({
      failed: false,
      status: 200,
      statusText: 'OK',
      headers: { 'x-note': 'a' },
      body,
    });
    dispatcher.data('in ').data('parts').end();
    expect(Buffer.concat(await body.toArray()).toString()).toBe('in parts');
  });

  it('an attempt streams a response body only for statuses up to 299', async () => {
    const last = streaming(3);
    last.dispatcher.start().head(299).data('four').end();
    const body = streamOf(await last.outcome);
    expect(Buffer.concat(await body.toArray()).toString()).toBe('four');

    const redirect = streaming();
    redirect.dispatcher.start().head(300).data('choices').end();
    expect(await redirect.outcome).toMatchObject({ status: 300, body: Buffer.from('choices') });
  });

  it('a streamed response skips interim responses', async () => {
    const { dispatcher, outcome } = streaming();
    dispatcher.start().head(103, { link: '</a.css>' }, 'Early Hints').head(199).head(200, {}, 'OK');
    expect(await outcome).toMatchObject({ status: 200, statusText: 'OK', headers: {} });
  });

  it('a streamed response pauses the connection for a slow reader', async () => {
    const { dispatcher, outcome } = streaming();
    dispatcher.start().head(200);
    const body = streamOf(await outcome);
    const { controller } = dispatcher.data(256 * 1024 - 1);
    expect(controller.pauses).toBe(0);
    dispatcher.data(1);
    expect(controller).toMatchObject({ pauses: 1, resumes: 0 });
    body.read();
    expect(controller.resumes).toBe(1);
  });

  it('a streamed response closes the connection if the reader cancels the stream', async () => {
    const { dispatcher, outcome } = streaming();
    dispatcher.start().head(200);
    streamOf(await outcome).destroy();
    await turns(1);
    expect(dispatcher.controller.aborts).toStrictEqual([new Error('the reader closed the stream')]);
  });

  it('a reader can cancel a streamed response even if the dispatcher reports no connection', async () => {
    const { dispatcher, outcome } = streaming();
    dispatcher.head(200).data('some');
    const body = streamOf(await outcome);
    expect(body.read()?.toString()).toBe('some');
    body.destroy();
    await turns(1);
    expect(body.errored).toBeNull();
    expect(dispatcher.controller).toMatchObject({ aborts: [], resumes: 0 });
  });

  it('a streamed response closes the connection if its content coding was not requested', async () => {
    const { dispatcher, outcome } = streaming();
    dispatcher.start().head(200, { 'content-encoding': 'zstd' });
    const [cause] = dispatcher.controller.aborts;
    expect(cause?.message).toContain('"zstd"');
    expect(dispatcher.controller.aborts).toHaveLength(1);
    expect(await outcome).toStrictEqual({
      failed: true,
      kind: 'undecodable',
      cause,
      sent: true,
      reused: false,
      status: 200,
    });
  });

  it('an attempt rejects an unrequested content coding even if the dispatcher reports no connection', async () => {
    const { dispatcher, outcome } = streaming();
    dispatcher.head(200, { 'content-encoding': 'zstd' });
    expect(await outcome).toMatchObject({ kind: 'undecodable', sent: false, status: 200 });
  });

  const broken: readonly (readonly [string, (of: ScriptedDispatcher) => unknown, string])[] = [
    ['truncated by the connection', (of) => of.fail(new Error('reset')), 'truncated'],
    ['not gzip', (of) => of.data('plain text').end(), 'undecodable'],
    ['truncated gzip', (of) => of.data(gzipSync('x').subarray(0, -9)).end(), 'truncated'],
  ];

  it.each(broken)(
    'a streamed body throws the converted error if the body is %s',
    async (_, breaks, kind) => {
      const { dispatcher, outcome, failures, named } = streaming();
      dispatcher.start().head(206, { 'content-encoding': 'gzip' });
      const body = streamOf(await outcome);
      breaks(dispatcher);
      await expect(body.toArray()).rejects.toBe(named);
      expect(failures).toStrictEqual([
        { failed: true, kind, cause: expect.any(Error), sent: true, status: 206 },
      ]);
    },
  );

  it("a streamed response ignores the caller's signal after it is returned", async () => {
    const caller = new AbortController();
    const deadline = new Deadline([caller.signal], 0);
    const { dispatcher, outcome } = attempt({
      deadline,
      limits: { stream: () => new Error('never') },
    });
    dispatcher.start().head(200);
    await outcome;
    caller.abort();
    expect(deadline.interruption).toMatchObject({ kind: 'aborted' });
    expect(dispatcher.controller.aborts).toEqual([]);
  });
});
