import { Transform } from 'node:stream';
import { expect, it } from 'vitest';
import {
  decodeStream,
  ResponseStream,
} from '../../../../src/transport/dispatch/response-stream.js';
import { turns } from '../../../support/client.js';

it('decodeStream() pauses decoding when the buffer is full', async () => {
  const stream = new ResponseStream(
    { resume: () => undefined, abort: () => undefined },
    (cause) => cause,
  );
  const asItIs = new Transform({
    transform: (chunk: Buffer, _encoding, done) => done(null, chunk),
  });
  const decoded = decodeStream(stream, [asItIs], (cause) => cause);
  const chunk = Buffer.alloc(64 * 1024);
  for (let index = 0; index < 16; index++) stream.push(chunk);
  await turns(100);
  expect(decoded.readableLength).toBe(256 * 1024);
});
