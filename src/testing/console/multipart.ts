import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { ByteBuffer } from '../byte-buffer.js';

/** Form part or other request parameter. A large part has only a size and hashes. */
export interface ReceivedPart {
  /** Name of the field. */
  readonly name: string;
  /** File name. Undefined if the part isn't a file. */
  readonly filename: string | undefined;
  /** Size in bytes. */
  readonly size: number;
  /** SHA-256 of the content, in hex. */
  readonly sha256: string;
  /** MD5 of the content, in hex. The MD5 of a license authenticates requests. */
  readonly md5: string;
  /**
   * Content. Undefined if the part is larger than 1 MiB, or if the form's parts exceed 4 MiB in
   * total.
   */
  readonly content: Buffer | undefined;
}

const keptBytes = 1_048_576;
/** Maximum content to keep per form, in bytes. */
const keptOfForm = 4 * keptBytes;
const mostParts = 100;

/**
 * Reads a multipart form while it arrives. Keeps the content of parts up to 1 MiB, and up to 4 MiB
 * per form.
 * @throws {Error} if the form is invalid or has more than 100 parts.
 */
export async function readMultipart(request: Request): Promise<ReceivedPart[]> {
  const { body } = request;
  if (!body) return [];
  const parts: Promise<ReceivedPart>[] = [];
  const streams: Readable[] = [];
  const headers: BusboyHeaders = { 'content-type': request.headers.get('content-type') ?? '' };
  // `isPartAFile` streams all parts. By default, busboy buffers parts without a file name and
  // truncates them at 1 MiB.
  const limits = { headerSize: 8192 };
  const parser = new Busboy({ headers, isPartAFile: () => true, limits });
  const room = { left: keptOfForm };
  parser.on('file', (name, stream, filename) => {
    if (parts.length >= mostParts) parser.destroy(new Error(`the body exceeds ${mostParts} parts`));
    streams.push(stream);
    const part = readPart(name, filename, stream, room);
    // Prevents an unhandled rejection. If the form ends early, the pipeline fails first and the parts
    // are never awaited.
    part.catch(() => {});
    parts.push(part);
  });
  // `as`: the global `ReadableStream` and Node's are the same class with two type declarations.
  const source = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
  try {
    await pipeline(source, parser);
    return await Promise.all(parts);
  } finally {
    // After a truncated form, open parts would wait for more data forever and stay in memory.
    for (const stream of streams) stream.destroy();
  }
}

async function readPart(
  name: string,
  filename: string | undefined,
  stream: Readable,
  room: { left: number },
): Promise<ReceivedPart> {
  const sha256 = createHash('sha256');
  const md5 = createHash('md5');
  const kept = new ByteBuffer();
  let keep = true;
  let size = 0;
  try {
    for await (const chunk of stream) {
      const bytes = Buffer.from(chunk);
      size += bytes.length;
      sha256.update(bytes);
      md5.update(bytes);
      keep &&= size <= keptBytes && bytes.length <= room.left;
      room.left -= keep ? bytes.length : -kept.size;
      if (keep) kept.add(bytes);
      else kept.clear();
    }
    const content = keep ? kept.bytes() : undefined;
    return { name, filename, size, sha256: sha256.digest('hex'), md5: md5.digest('hex'), content };
  } finally {
    kept.clear();
  }
}

/** Converts a query, form or JSON parameter to a part. */
export function createPart([name, value]: [name: string, value: unknown]): ReceivedPart {
  const content = Buffer.from(typeof value === 'string' ? value : JSON.stringify(value));
  const digest = (algorithm: string) => createHash(algorithm).update(content).digest('hex');
  const hashes = { sha256: digest('sha256'), md5: digest('md5') };
  return { name, filename: undefined, size: content.length, ...hashes, content };
}
