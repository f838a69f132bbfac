import { isUtf8 } from 'node:buffer';
import { ByteBuffer } from './byte-buffer.js';
import { streamPieces } from './reply.js';

/** Maximum size of a recorded body in bytes. Larger bodies pass through as streams. */
export const recordedBytes = 1_048_576;

/** Returns whether request bodies of a media type are recorded. True for JSON and forms. */
export function isRecorded(contentType: string): boolean {
  return /json|x-www-form-urlencoded/i.test(contentType);
}

/**
 * Reads a request's body for the request log if it is JSON or a form of at most 1 MiB.
 * @returns a request whose body can still be read, and the body's text. The text is undefined if
 * the body is not recorded.
 */
export async function readForRecord(request: Request): Promise<[Request, string | undefined]> {
  const type = request.headers.get('content-type') ?? '';
  // Secrets in a compressed body couldn't be masked.
  const isReadable = isRecorded(type) && !request.headers.has('content-encoding');
  if (!request.body || !isReadable) return [request, undefined];
  const { url, method, headers, signal } = request;
  const coming = request.body.values();
  const buffer = new ByteBuffer();
  let read: Buffer<ArrayBuffer>;
  try {
    while (buffer.size <= recordedBytes) {
      const { done, value } = await coming.next();
      if (done) {
        const body = buffer.bytes();
        return [
          new Request(url, { method, headers, signal, body: streamPieces(body), duplex: 'half' }),
          body.toString(isUtf8(body) ? 'utf8' : 'latin1'),
        ];
      }
      buffer.add(value);
    }
    read = buffer.bytes();
  } finally {
    buffer.clear();
  }
  const body = ReadableStream.from(resumed(read, coming));
  return [new Request(url, { method, headers, signal, body, duplex: 'half' }), undefined];
}

/** Yields the bytes that have already been read, then the rest. */
async function* resumed(read: Uint8Array, coming: AsyncIterable<Uint8Array>) {
  yield read;
  yield* coming;
}
