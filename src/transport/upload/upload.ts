import { open, stat } from 'node:fs/promises';
import { pipeline, Readable, Transform } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { InvalidRequestError } from '../../errors/index.js';
import type { OpenBody, StreamBody } from '../request/body.js';
import { kindOf } from '../request/input.js';
import { FileStream } from './file-stream.js';
import { SourceCheck } from './source-check.js';

/**
 * What can be uploaded: a path (string or `file:` URL), bytes, a Blob, or a stream of bytes. Paths, bytes
 * and Blobs can be sent again after a failure that allows it; a stream is read once.
 */
export type UploadData = string | URL | Uint8Array | Blob | Readable;

/** How far an upload is. */
export interface UploadProgress {
  /** Bytes handed to the connection. */
  readonly sent: number;
  /** Bytes in all; undefined when the size is not known. */
  readonly total: number | undefined;
}

/** Called as bytes go out. What it throws fails the upload. */
export type OnProgress = (progress: UploadProgress) => void;

/** One part of an upload, opened. */
export interface OpenSource {
  readonly stream: Readable;
  readonly length: number | undefined;
  /** See {@link OpenBody}. */
  readonly recycle?: ((chunk: Buffer) => void) | undefined;
}

/** Something that can be read, and its size; checked before anything is sent. */
export interface UploadSource {
  readonly replayable: boolean;
  /** @throws {InvalidRequestError} a file that is missing or unreadable. */
  open(): Promise<OpenSource>;
}

/** Of streams that are given, and of bytes. */
const chunkSize = 1024 * 1024;

/**
 * Makes a source of any {@link UploadData}.
 * @param field the input's name, for errors.
 * @param size bytes of a stream, where known.
 * @throws {InvalidRequestError} data of another kind.
 */
export function uploadSource(field: string, data: UploadData, size?: number): UploadSource {
  if (typeof data === 'string' || data instanceof URL) return fileSource(field, data);
  if (data instanceof Uint8Array) {
    return {
      replayable: true,
      open: async () => ({ stream: chunked(data), length: data.byteLength }),
    };
  }
  if (data instanceof Blob) {
    return {
      replayable: true,
      open: async () => ({ stream: Readable.fromWeb(data.stream()), length: data.size }),
    };
  }
  if (data instanceof Readable) return streamSource(field, data, size);
  throw new InvalidRequestError(
    `${field}: expected a path, bytes (Uint8Array), a Blob or a Readable, got ${kindOf(data)}`,
    field,
  );
}

function fileSource(field: string, data: string | URL): UploadSource {
  return {
    replayable: true,
    async open() {
      try {
        const path = data instanceof URL ? fileURLToPath(data) : data;
        // Asked first: opening a pipe waits for whoever writes to it.
        if (!(await stat(path)).isFile()) throw new Error('it is not a file');
        const file = await open(path);
        const { size } = await file.stat();
        const stream = new FileStream(field, file, size);
        return { stream, length: size, recycle: (chunk) => stream.recycle(chunk) };
      } catch (cause) {
        const why = cause instanceof Error ? cause.message : 'unknown';
        throw new InvalidRequestError(
          `${field}: the file can not be read: ${why}; a string is a path: give the content itself as bytes (Buffer.from(text))`,
          field,
          { cause },
        );
      }
    },
  };
}

function streamSource(field: string, stream: Readable, size: number | undefined): UploadSource {
  let opened = false;
  // It may fail before it is opened: while the call waits for its turn, or for credentials.
  stream.on('error', () => undefined);
  return {
    replayable: false,
    async open() {
      if (!opened && stream.errored) {
        const { message } = stream.errored;
        throw new InvalidRequestError(`${field}: the stream has failed: ${message}`, field, {
          cause: stream.errored,
        });
      }
      if (opened || stream.destroyed || stream.readableEnded) {
        throw new InvalidRequestError(
          `${field}: the stream was read already; a stream can be sent only once, a path can be sent again`,
          field,
        );
      }
      opened = true;
      // The callback takes over the error: pipeline destroys the check with it, where its reader sees it.
      const checked = pipeline(stream, new SourceCheck(field, size, chunkSize), () => undefined);
      return { stream: checked, length: size };
    },
  };
}

/** Bytes in pieces, so that progress and backpressure mean something. */
function chunked(bytes: Uint8Array): Readable {
  return Readable.from(
    (function* () {
      for (let start = 0; start < bytes.byteLength; start += chunkSize) {
        yield bytes.subarray(start, start + chunkSize);
      }
    })(),
    { objectMode: false, highWaterMark: chunkSize },
  );
}

/** Reports what passes through. */
export function meterOf(total: number | undefined, onProgress: OnProgress | undefined): Transform {
  let sent = 0;
  return new Transform({
    highWaterMark: chunkSize,
    transform(chunk: Buffer, _encoding, done) {
      sent += chunk.length;
      try {
        onProgress?.({ sent, total });
        done(null, chunk);
      } catch (cause) {
        done(cause instanceof Error ? cause : new Error(String(cause)));
      }
    },
  });
}

/** Reports what is read of a source, which is destroyed with it. */
export function withProgress(open: OpenSource, onProgress: OnProgress | undefined): Readable {
  if (!onProgress) return open.stream;
  const meter = meterOf(open.length, onProgress);
  open.stream.once('error', (cause) => meter.destroy(cause));
  meter.once('close', () => open.stream.destroy());
  return open.stream.pipe(meter);
}

/** A whole request body from one source. */
export function uploadBody(
  source: UploadSource,
  contentType: string,
  onProgress: OnProgress | undefined,
): StreamBody {
  return {
    kind: 'stream',
    replayable: source.replayable,
    async open(): Promise<OpenBody> {
      const opened = await source.open();
      const { length, recycle } = opened;
      return { stream: withProgress(opened, onProgress), contentType, length, recycle };
    },
  };
}
