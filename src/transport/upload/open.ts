// Opens what is uploaded.

import { open, stat } from 'node:fs/promises';
import { finished, pipeline, Readable, Transform } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type FormData from 'form-data';
import { InvalidRequestError } from '../../errors/index.js';
import { asError, errorMessage } from '../../schema/unknown-values.js';
import type { OpenBody } from '../request/body.js';
import { catchRejection } from '../request/callback.js';
import { FileStream } from './file-stream.js';
import { SourceCheck } from './source-check.js';

/** How far an upload is. */
export interface UploadProgress {
  /** Bytes handed to the connection. */
  readonly sent: number;
  /** Bytes in all; undefined when the size is not known. */
  readonly total: number | undefined;
}

/**
 * Called as bytes go out. An error that it throws, or rejects with while bytes are still sent, fails the
 * upload. Its promise isn't awaited.
 */
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

/** A plain field of a form. */
export interface TextPart {
  readonly name: string;
  readonly text: string;
}

/** A file in a form. */
export interface FilePart {
  readonly name: string;
  readonly source: UploadSource;
  /** Shown to the server; only its last segment, without control characters. */
  readonly filename: string;
}

/** One part of a multipart form. */
export type MultipartPart = TextPart | FilePart;

/** Of streams that are given, and of bytes. */
const chunkSize = 1024 * 1024;

/** A file part whose source has been opened. */
interface OpenPart {
  readonly part: MultipartPart;
  readonly open: OpenSource | undefined;
}

/** @throws {InvalidRequestError} a file that is missing or unreadable. */
export async function openFile(field: string, data: string | URL): Promise<OpenSource> {
  try {
    const path = data instanceof URL ? fileURLToPath(data) : data;
    // Asked first: opening a pipe waits for whoever writes to it.
    if (!(await stat(path)).isFile()) throw new Error('it is not a file');
    const file = await open(path);
    const { size } = await file.stat();
    const stream = new FileStream(field, file, size);
    return { stream, length: size, recycle: (chunk) => stream.recycle(chunk) };
  } catch (cause) {
    const why = errorMessage(cause);
    throw new InvalidRequestError(
      `${field}: the file can not be read: ${why}; a string is a path: give the content itself as bytes (Buffer.from(text))`,
      { field, cause },
    );
  }
}

/** A caller's own stream, held to bytes and to the size that was announced. */
export function openStream(field: string, stream: Readable, size: number | undefined): OpenSource {
  // The callback takes over the error: pipeline destroys the check with it, where its reader sees it.
  const checked = pipeline(stream, new SourceCheck(field, size, chunkSize), () => undefined);
  return { stream: checked, length: size };
}

/** Bytes in pieces, so that progress and backpressure mean something. */
export function openBytes(bytes: Uint8Array): OpenSource {
  const stream = Readable.from(
    (function* () {
      for (let start = 0; start < bytes.byteLength; start += chunkSize) {
        yield bytes.subarray(start, start + chunkSize);
      }
    })(),
    { objectMode: false, highWaterMark: chunkSize },
  );
  return { stream, length: bytes.byteLength };
}

/** Reports what is read of a source, which is destroyed with it. */
export function withProgress(open: OpenSource, onProgress: OnProgress | undefined): Readable {
  if (!onProgress) return open.stream;
  const meter = meterOf(open.length, onProgress);
  open.stream.once('error', (cause) => meter.destroy(cause));
  meter.once('close', () => open.stream.destroy());
  return open.stream.pipe(meter);
}

/** A form with all its sources open. */
export async function openForm(
  parts: readonly MultipartPart[],
  onProgress: OnProgress | undefined,
): Promise<OpenBody> {
  // Its table of media types is long, and who sends one file alone has no form.
  const { default: Form } = await import('form-data');
  const form = new Form();
  const opened = await openAll(parts);
  for (const each of opened) append(form, each);
  const known = opened.every(({ open }) => !open || open.length !== undefined);
  const length = known ? form.getLengthSync() : undefined;
  const sources = opened.flatMap(({ open }) => (open && open.length !== 0 ? [open.stream] : []));
  return {
    stream: through(form, sources, length, onProgress),
    contentType: `multipart/form-data; boundary=${form.getBoundary()}`,
    length,
    // Each knows its own.
    recycle: (chunk) => {
      for (const { open } of opened) open?.recycle?.(chunk);
    },
  };
}

/** Opens every source, or none: what was opened is closed when a later one fails. */
async function openAll(parts: readonly MultipartPart[]): Promise<OpenPart[]> {
  const opened: OpenPart[] = [];
  try {
    for (const part of parts) {
      opened.push({ part, open: 'text' in part ? undefined : await part.source.open() });
    }
    return opened;
  } catch (cause) {
    for (const { open } of opened) open?.stream.destroy();
    throw cause;
  }
}

function append(form: FormData, { part, open }: OpenPart): void {
  if ('text' in part) {
    form.append(part.name, part.text);
    return;
  }
  if (!open) return;
  const options = {
    filename: part.filename,
    contentType: 'application/octet-stream',
  };
  if (open.length === 0) {
    // form-data takes a known length of 0 for an unknown one.
    open.stream.destroy();
    form.append(part.name, Buffer.alloc(0), options);
  } else {
    form.append(part.name, open.stream, {
      ...options,
      ...(open.length !== undefined && { knownLength: open.length }),
    });
  }
}

/**
 * form-data is a stream of the old kind: it never closes, and leaves its sources open when it is
 * dropped. What goes to the connection is a stream that takes them with it.
 */
function through(
  form: FormData,
  sources: readonly Readable[],
  total: number | undefined,
  onProgress: OnProgress | undefined,
): Readable {
  const meter = meterOf(total, onProgress);
  // Whoever sends it listens while it is sent; an error after that is nobody's.
  meter.on('error', () => undefined);
  meter.once('close', () => {
    for (const source of sources) source.destroy();
  });
  for (const source of sources) {
    // Also a source that is closed before its end, without any error.
    finished(source, (cause) => cause && meter.destroy(cause));
  }
  form.on('error', (cause) => meter.destroy(cause));
  form.pipe(meter);
  return meter;
}

/** Reports what passes through. */
function meterOf(total: number | undefined, onProgress: OnProgress | undefined): Transform {
  let sent = 0;
  const meter = new Transform({
    highWaterMark: chunkSize,
    transform(chunk: Buffer, _encoding, done) {
      sent += chunk.length;
      try {
        const returned: unknown = onProgress?.({ sent, total });
        catchRejection(returned, (reason) => meter.destroy(asError(reason)));
        done(null, chunk);
      } catch (cause) {
        done(asError(cause));
      }
    },
  });
  return meter;
}
