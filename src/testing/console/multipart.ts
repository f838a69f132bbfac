import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';

/** A part of a form, or a parameter that came otherwise. Of a big one only size and hash are kept. */
export interface ReceivedPart {
  /** Name of the field. */
  readonly name: string;
  /** File name, where the part is a file. */
  readonly filename: string | undefined;
  /** Size in bytes. */
  readonly size: number;
  /** In hexadecimal digits. */
  readonly sha256: string;
  /** In hexadecimal digits: of a license, what requests are signed with. */
  readonly md5: string;
  /** The content, of parts of at most 1 MiB. */
  readonly content: Buffer | undefined;
}

const keptBytes = 1_048_576;

/** Reads a multipart form as it streams in: no more than 1 MiB of a part is held. */
export async function readMultipart(request: Request): Promise<ReceivedPart[]> {
  const { body } = request;
  if (!body) return [];
  const parts: Promise<ReceivedPart>[] = [];
  const headers: BusboyHeaders = { 'content-type': request.headers.get('content-type') ?? '' };
  // Parts without a filename would be held whole, and cut at 1 MiB without a word.
  const parser = new Busboy({ headers, isPartAFile: () => true });
  parser.on('file', (name, stream, filename) => {
    const part = readPart(name, filename, stream);
    // A form that breaks off fails in the pipeline first; nobody awaits its parts then.
    part.catch(() => {});
    parts.push(part);
  });
  // `as`: Node's web stream and the global one are the same class with two type declarations.
  const source = Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]);
  await pipeline(source, parser);
  return await Promise.all(parts);
}

async function readPart(
  name: string,
  filename: string | undefined,
  stream: Readable,
): Promise<ReceivedPart> {
  const sha256 = createHash('sha256');
  const md5 = createHash('md5');
  const kept: Buffer[] = [];
  let size = 0;
  for await (const chunk of stream) {
    const bytes = Buffer.from(chunk);
    size += bytes.length;
    sha256.update(bytes);
    md5.update(bytes);
    if (size <= keptBytes) kept.push(bytes);
    else kept.length = 0;
  }
  const content = size <= keptBytes ? Buffer.concat(kept) : undefined;
  return { name, filename, size, sha256: sha256.digest('hex'), md5: md5.digest('hex'), content };
}

/** A parameter that came in a query, a form or JSON. */
export function partOf(name: string, content: Buffer): ReceivedPart {
  const digest = (algorithm: string) => createHash(algorithm).update(content).digest('hex');
  const hashes = { sha256: digest('sha256'), md5: digest('md5') };
  return { name, filename: undefined, size: content.length, ...hashes, content };
}
