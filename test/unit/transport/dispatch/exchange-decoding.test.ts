import { createHook } from 'node:async_hooks';
import { promisify } from 'node:util';
import * as zlib from 'node:zlib';
import { describe, expect, it, onTestFinished } from 'vitest';
import { Deadline } from '../../../../src/transport/dispatch/deadline.js';
import { turns } from '../../../support/client.js';
import { attempt } from '../scripted-dispatcher.js';

const gunzip = promisify(zlib.gunzip);

describe('an abort during decoding', () => {
  /** Delivers a complete response. Returns its outcome and the controller that stops the call. */
  function arrived(codings: string, body: Buffer) {
    const abort = new AbortController();
    const deadline = new Deadline([abort.signal], 0);
    const { dispatcher, outcome } = attempt({ deadline });
    dispatcher.start().head(200, { 'content-encoding': codings }).data(body).end();
    return { abort, outcome };
  }

  it('an abort during decoding ends the attempt as interrupted', async () => {
    const { abort, outcome } = arrived('gzip', zlib.gzipSync('text'));
    abort.abort();
    expect(await outcome).toStrictEqual({
      failed: true,
      kind: 'interrupted',
      cause: undefined,
      sent: true,
      status: 200,
    });
  });

  it('an abort during decoding prevents decoding of the next content coding', async () => {
    const started: string[] = [];
    const hook = createHook({
      init: (_id, type) => {
        if (type === 'ZLIB') started.push(type);
      },
    }).enable();
    onTestFinished(() => {
      hook.disable();
    });
    const twice = zlib.gzipSync(zlib.gzipSync('text'));
    started.length = 0;
    const whole = arrived('gzip, gzip', twice);
    expect(await whole.outcome).toMatchObject({ failed: false, body: Buffer.from('text') });
    expect(started).toHaveLength(2);
    const stopped = arrived('gzip, gzip', twice);
    stopped.abort.abort();
    expect(await stopped.outcome).toMatchObject({ kind: 'interrupted' });
    // Waits until the decoding that had already started has ended.
    await gunzip(twice);
    await turns(5);
    expect(started, 'one for the stopped response, one for the gunzip call above').toHaveLength(4);
  });
});
