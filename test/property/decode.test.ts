import { isUtf8 } from 'node:buffer';
import * as zlib from 'node:zlib';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { decodeBody, parseCodings } from '../../src/transport/http/content-coding.js';
import {
  decodeErrorBody,
  decodeJson,
  decodeText,
} from '../../src/transport/response/parse-response.js';
import { numRuns } from '../support/extent.js';

/** Replaces integers outside the safe range by their digits. Larger numbers have an exponent. */
const quoteUnsafe = (_key: string, value: unknown) =>
  Number.isInteger(value) && !Number.isSafeInteger(value) && Math.abs(Number(value)) < 1e21
    ? String(value)
    : value;

/** Splits a body into chunks of one byte. */
const split = (body: Buffer) => Array.from(body, (byte) => Buffer.from([byte]));

it('decodeJson() decodes every JSON value, with or without a byte-order mark', () => {
  const json = fc.oneof(fc.jsonValue(), fc.array(fc.maxSafeInteger().map((each) => each * 4)));
  fc.assert(
    fc.property(json, fc.boolean(), fc.nat(2), (value, marked, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      const decoded = decodeJson(split(Buffer.from(`${marked ? '\ufeff' : ''}${text}`)), {});
      expect(decoded).toEqual({ ok: true, value: JSON.parse(text, quoteUnsafe) });
    }),
    { numRuns },
  );
});

it('decodeText() accepts exactly valid UTF-8, and decodeErrorBody() any bytes', () => {
  const text = fc.string({ unit: 'binary' }).map((each) => Buffer.from(each));
  fc.assert(
    fc.property(fc.oneof(text, fc.uint8Array()), fc.string(), (bytes, type) => {
      const body = split(Buffer.from(bytes));
      expect(decodeText(body)).toBe(isUtf8(bytes) ? new TextDecoder().decode(bytes) : undefined);
      const decoded = decodeJson(body, { 'content-type': type });
      const lenient = decodeErrorBody(body, { 'content-type': type });
      if (decoded.ok) expect(lenient).toEqual(decoded.value);
      else if (decoded.problem !== 'undecodable') expect(lenient).toEqual(expect.any(String));
    }),
    { numRuns },
  );
});

const encoders = {
  gzip: zlib.gzipSync,
  deflate: zlib.deflateSync,
  'x-gzip': zlib.gzipSync,
  br: (body: Buffer) =>
    zlib.brotliCompressSync(body, { params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } }),
} as const;
const coding = fc.constantFrom(...(Object.keys(encoders) as (keyof typeof encoders)[]));

it('decodeBody() decodes any chain of codings and rejects a body that exceeds the limit', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uint8Array({ maxLength: 500 }),
      fc.array(coding, { maxLength: 3 }),
      fc.boolean(),
      async (bytes, chain, tight) => {
        let body: Buffer = Buffer.from(bytes);
        for (const each of chain) body = encoders[each](body);
        const codings = parseCodings(chain.join(', '));
        const limit = tight ? Math.max(1, bytes.length - 1) : 10_000;
        const decoded = await decodeBody(body, codings, limit).catch((error: unknown) => error);
        if (!tight || chain.length === 0) expect(decoded).toEqual(Buffer.from(bytes));
        else if (bytes.length > 1) expect(decoded).toMatchObject({ code: 'ERR_BUFFER_TOO_LARGE' });
      },
    ),
    { numRuns },
  );
});
