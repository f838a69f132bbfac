// Receives an upload as the appliance does, discards it, and reports its size and checksum.
import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { crc32 } from 'node:zlib';

/** Size and checksums of the received file. */
export interface Received {
  /** Size of the file, in bytes. */
  readonly length: number;
  /** CRC-32 of the file. */
  readonly checksum: number;
  /** SHA-256 of the file. Set only under `/sha256/`, because the hash would slow down measured uploads. */
  readonly sha256: string | undefined;
}

/** Computes the file's size from the request's length. The file must be the form's only field. */
function fileLength(request: IncomingMessage, head: number): number {
  const boundary = /boundary="?([^";]+)/.exec(request.headers['content-type'] ?? '')?.[1];
  const total = Number(request.headers['content-length']);
  if (boundary === undefined || !Number.isFinite(total))
    throw new Error('expected a form with a Content-Length');
  return total - head - `\r\n--${boundary}--\r\n`.length;
}

/** Reads the form to its end, and reports {@link Received} to the parent process. */
export async function sink(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let head: Buffer | undefined = Buffer.alloc(0);
  let left = 0;
  let length = 0;
  let checksum = 0;
  const hash = request.url?.startsWith('/sha256/') ? createHash('sha256') : undefined;
  for await (const piece of request) {
    // `as`: a request without a character encoding yields only buffers.
    let data = piece as Buffer;
    if (head !== undefined) {
      head = Buffer.concat([head, data]);
      const end = head.indexOf('\r\n\r\n');
      if (end < 0) continue;
      data = head.subarray(end + 4);
      left = fileLength(request, end + 4);
      head = undefined;
    }
    const ofFile = data.length > left ? data.subarray(0, left) : data;
    checksum = crc32(ofFile, checksum);
    hash?.update(ofFile);
    length += ofFile.length;
    left -= ofFile.length;
  }
  const received: Received = { length, checksum, sha256: hash?.digest('hex') };
  process.send?.({ received });
  response.writeHead(202, { 'content-type': 'application/json' }).end('{}');
}
