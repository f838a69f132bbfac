import { buffer } from 'node:stream/consumers';
import * as zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  decodeStream,
  ResponseStream,
} from '../../../../src/transport/dispatch/response-stream.js';
import { createDecoder } from '../../../../src/transport/http/content-coding.js';
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

describe('ResponseStream', () => {
  it('a response stream never aborts its source after a complete read', async () => {
    const { stream, aborted } = streaming();
    stream.push(Buffer.from('all of '));
    stream.push(Buffer.from('it'));
    stream.finish();
    expect(String(await buffer(stream))).toBe('all of it');
    await turns(2);
    expect(stream.destroyed).toBe(true);
    expect(aborted).toEqual([]);
  });

  it('a response stream throws a translated error if the source fails', async () => {
    const { stream, aborted } = streaming();
    const cause = new Error('the connection was reset');
    const raised = rejectionOf(buffer(stream));
    stream.fail(cause);
    expect(await raised).toEqual(new Error('translated: the connection was reset', { cause }));
    expect(aborted).toEqual([]);
  });

  it.each([
    ['without a reason', undefined, new Error('the reader closed the stream')],
    ['with a reason', new Error('enough'), new Error('enough')],
  ])(
    'a response stream aborts the source if the reader cancels %s',
    async (_how, reason, cause) => {
      const { stream, aborted } = streaming();
      stream.on('error', () => undefined);
      stream.destroy(reason);
      await turns(2);
      expect(aborted).toEqual([cause]);
    },
  );

  it('push() returns false when the buffer is full', () => {
    const { stream } = streaming();
    expect(stream.push(Buffer.alloc(256 * 1024 - 1))).toBe(true);
    expect(stream.push(Buffer.alloc(1))).toBe(false);
  });
});

describe('decodeStream()', () => {
  it('decodeStream() returns the stream itself if there are no content codings', () => {
    const { stream } = streaming();
    expect(decodeStream(stream, [], translate)).toBe(stream);
  });

  it("decodeStream() translates the decoder's error if the body is invalid", async () => {
    const good = streaming();
    const decoded = buffer(decodeStream(good.stream, [createDecoder('gzip')], translate));
    good.stream.push(zlib.gzipSync('text'));
    good.stream.finish();
    expect(String(await decoded)).toBe('text');

    const bad = streaming();
    const raised = rejectionOf(
      buffer(decodeStream(bad.stream, [createDecoder('gzip')], translate)),
    );
    bad.stream.push(Buffer.from('no gzip at all'));
    expect(await raised).toMatchObject({ message: 'translated: incorrect header check' });
  });
});

describe('ResponseStream without a reader', () => {
  it('a response stream keeps a failure for a later reader', async () => {
    const { stream } = streaming();
    const ended = new Promise((resolve) => stream.once('close', resolve));
    stream.fail(new Error('the connection was reset'));
    await turns(2);
    expect(stream.destroyed).toBe(false);
    expect(await rejectionOf(buffer(stream))).toMatchObject({
      message: 'translated: the connection was reset',
    });
    await ended;
  });

  it('decodeStream() pauses decoding until a reader empties the buffer', async () => {
    const plain = Buffer.alloc(4 * 1024 * 1024, 'abcdefghij');
    const { stream } = streaming();
    const decoded = decodeStream(stream, [createDecoder('gzip')], translate);
    stream.push(zlib.gzipSync(plain));
    stream.finish();
    const enough = 256 * 1024;
    await until('its buffer is full', () => decoded.readableLength >= enough);
    await turns(20);
    expect(decoded.readableLength).toBeLessThan(2 * enough);
    expect((await buffer(decoded)).equals(plain)).toBe(true);
  });
});

describe('ResponseStream.handOut()', () => {
  const reason = new Error('changed my mind');
  const later = (): [AbortSignal, () => void] => {
    const controller = new AbortController();
    return [controller.signal, () => controller.abort(reason)];
  };
  const before = (): [AbortSignal, () => void] => [AbortSignal.abort(reason), () => undefined];

  it.each([
    ['after the stream is returned', later],
    ['before the stream is returned', before],
  ])('a response stream fails if its signal is aborted %s', async (_when, make) => {
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

  it('a response stream converts a null abort reason to an error', async () => {
    const { stream } = streaming();
    const controller = new AbortController();
    const raised = rejectionOf(buffer(stream));
    stream.handOut([controller.signal]);
    controller.abort(null);
    expect(await raised).toEqual(new Error('null'));
  });
});
