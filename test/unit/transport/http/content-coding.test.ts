import { Readable, type Transform } from 'node:stream';
import * as zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import {
  acceptEncoding,
  classifyCodingError,
  createDecoders,
  decodeBody,
  isCodingError,
  parseCodings,
  UnknownCodingError,
} from '../../../../src/transport/http/content-coding.js';
import { rejectionOf } from '../../../support/client.js';

const text = 'a package of the main repository; '.repeat(200);
const plain = Buffer.from(text);

/** A body in each coding that a server may send. */
const encoded = [
  { name: 'gzip', coding: 'gzip', bytes: zlib.gzipSync(plain) },
  { name: 'x-gzip', coding: 'x-gzip', bytes: zlib.gzipSync(plain) },
  { name: 'deflate', coding: 'deflate', bytes: zlib.deflateSync(plain) },
  { name: 'br', coding: 'br', bytes: zlib.brotliCompressSync(plain) },
] as const;

function withCode(code: unknown): Error {
  return Object.assign(new Error('made for a test'), { code });
}

/** Creates the decoder for one coding. */
function createDecoder(coding: string): Transform {
  const [decoder] = createDecoders([coding]);
  if (!decoder) throw new Error('no decoder');
  return decoder;
}

async function read(stream: Transform, pieces: Iterable<Buffer>): Promise<Buffer> {
  const source = Readable.from(pieces, { objectMode: false });
  source.pipe(stream);
  const parts: Buffer[] = [];
  for await (const part of stream) parts.push(part);
  return Buffer.concat(parts);
}

function* cut(bytes: Buffer, size: number): Generator<Buffer> {
  for (let start = 0; start < bytes.length; start += size)
    yield bytes.subarray(start, start + size);
}

describe('parseCodings()', () => {
  it.each<[string | undefined, string[]]>([
    [undefined, []],
    ['', []],
    ['identity', []],
    ['gzip', ['gzip']],
    [' GZip ', ['gzip']],
    ['gzip, br', ['br', 'gzip']],
    ['deflate,identity, gzip,,br', ['br', 'gzip', 'deflate']],
  ])('parses the Content-Encoding header %j as %j', (header, codings) => {
    expect(parseCodings(header)).toEqual(codings);
  });
});

describe('decodeBody()', () => {
  it('decodes every coding that Accept-Encoding lists, and rejects truncated data', async () => {
    const offered = parseCodings(acceptEncoding);
    expect(offered).toEqual(['br', 'gzip']);
    for (const coding of offered) {
      const sample = encoded.find((each) => each.coding === coding);
      expect(sample, coding).toBeDefined();
      if (!sample) continue;
      expect(await decodeBody(sample.bytes, [coding], plain.length)).toEqual(plain);
      const cut = decodeBody(sample.bytes.subarray(0, -5), [coding], plain.length);
      expect(classifyCodingError(await rejectionOf(cut)), coding).toBe('truncated');
    }
  });
});

describe('createDecoders()', () => {
  describe.each(encoded)('$name', ({ name, coding, bytes }) => {
    it.each([1, 7, 100_000])(`a decoder decodes ${name} data in %d-byte chunks`, async (size) => {
      expect((await read(createDecoder(coding), cut(bytes, size))).toString()).toBe(text);
    });

    it(`a decoder rejects truncated ${name} data`, async () => {
      const cause = await rejectionOf(read(createDecoder(coding), cut(bytes.subarray(0, -5), 16)));
      expect(classifyCodingError(cause)).toBe('truncated');
      expect(isCodingError(cause)).toBe(true);
    });
  });

  it.each(['gzip', 'x-gzip', 'deflate', 'br'])(
    'a decoder rejects invalid %s data',
    async (coding) => {
      const noise = Buffer.alloc(64, 0xff);
      const cause = await rejectionOf(read(createDecoder(coding), [noise]));
      expect(classifyCodingError(cause)).toBe('undecodable');
      expect(isCodingError(cause)).toBe(true);
    },
  );

  it('rejects a coding that was not requested', () => {
    expect(() => createDecoders(['compress'])).toThrow(UnknownCodingError);
    expect(() => createDecoders(['compress'])).toThrow('"compress"');
  });
});

describe('decoding failures', () => {
  it.each<[string, 'too_large' | 'truncated' | 'undecodable', unknown]>([
    ['an error with the code ERR_BUFFER_TOO_LARGE', 'too_large', withCode('ERR_BUFFER_TOO_LARGE')],
    ['an error with the code Z_BUF_ERROR', 'truncated', withCode('Z_BUF_ERROR')],
    ['an error with the code Z_DATA_ERROR', 'undecodable', withCode('Z_DATA_ERROR')],
    ['an error without a code', 'undecodable', new Error('no code')],
    ['the string Z_BUF_ERROR', 'undecodable', 'Z_BUF_ERROR'],
  ])('classifyCodingError() classifies %s as %s', (_name, kind, cause) => {
    expect(classifyCodingError(cause)).toBe(kind);
  });

  it.each<[string, unknown, boolean]>([
    ['recognizes a zlib code', withCode('Z_DATA_ERROR'), true],
    ['recognizes a brotli code', withCode('ERR_PADDING_2'), true],
    ['ignores a system code', withCode('ECONNRESET'), false],
    ['ignores an undici code', withCode('UND_ERR_SOCKET'), false],
    ['recognizes an error from another realm', { code: 'Z_DATA_ERROR' }, true],
    ['ignores a string', 'Z_DATA_ERROR', false],
  ])('isCodingError() %s', (_name, cause, raised) => {
    expect(isCodingError(cause)).toBe(raised);
  });
});
