import { buffer } from 'node:stream/consumers';
import * as zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  decodeStream,
  ResponseStream,
} from '../../../../src/transport/dispatch/response-stream.js';
import { createDecoders } from '../../../../src/transport/http/content-coding.js';
import { rejectionOf, turns, until } from '../../../support/client.js';

const translate = (cause: Error) => new Error(`translated: ${cause.message}`, { cause });

/** Creates a stream and records the errors with which its source is aborted. */
function streaming() {
  const aborted: Error[] = [];
  const stream = new ResponseStream(
    { resume: () => undefined, abort: (cause) => aborted.push(cause) },
    translate,
  );
  return { stream, aborted };
}

describe('a response stream', () => {
  it.each([
    ['without a reason', undefined, new Error('the reader closed the stream')],
    ['with a reason', new Error('enough'), new Error('enough')],
  ])('aborts the source if the reader cancels %s', async (_how, reason, cause) => {
    const { stream, aborted } = streaming();
    stream.on('error', () => undefined);
    stream.destroy(reason);
    await turns(2);
    expect(aborted).toEqual([cause]);
  });

  it('decodeStream() pauses decoding until a reader empties the buffer', async () => {
    const plain = Buffer.alloc(4 * 1024 * 1024, 'abcdefghij');
    const { stream } = streaming();
    const decoded = decodeStream(stream, createDecoders(['gzip']), translate);
    stream.push(zlib.gzipSync(plain));
    stream.finish();
    const enough = 256 * 1024;
    await until('the buffer is full', () => decoded.readableLength >= enough);
    await turns(20);
    expect(decoded.readableLength).toBeLessThan(2 * enough);
    expect((await buffer(decoded)).equals(plain)).toBe(true);
  });

  const reason = new Error('changed my mind');
  const later = (): [AbortSignal, () => void] => {
    const controller = new AbortController();
    return [controller.signal, () => controller.abort(reason)];
  };
  const before = (): [AbortSignal, () => void] => [AbortSignal.abort(reason), () => undefined];

  it.each([
    ['after the stream is returned', later],
    ['before the stream is returned', before],
  ])('fails if its signal is aborted %s', async (_when, make) => {
    const { stream, aborted } = streaming();
    const [signal, abort] = make();
    const raised = rejectionOf(buffer(stream));
    stream.handOut([new AbortController().signal, signal]);
    abort();
    // Ends the stream, so the test fails immediately instead of hanging if the stream ignores its
    // signal.
    stream.finish();
    expect(await raised).toBe(reason);
    expect(aborted).toEqual([reason]);
  });
});
