import { basename } from 'node:path';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { unprintable } from '../../masks/secrets.js';
import { describeKind } from '../../schema/unknown-values.js';
import type { OpenBody, StreamBody } from '../request/body.js';
import { createInputError } from '../request/input.js';
import type { OnProgress, UploadSource } from './open.js';

/**
 * Data to upload: a path (string or `file:` URL), bytes, a `Blob`, or a stream of bytes. Uploads of
 * streams can't be retried, because a stream can be read only once.
 */
export type UploadData = string | URL | Uint8Array | Blob | Readable | ReadableStream<Uint8Array>;

/** Loads the module on demand so that programs without uploads start faster. */
const loadOpen = () => import('./open.js');

/**
 * Creates a source from any {@link UploadData}.
 * @param field name of the input, for errors.
 * @param size size of a stream in bytes, if known.
 * @throws {InvalidRequestError} if the data has an unsupported type.
 */
export function createUploadSource(field: string, data: UploadData, size?: number): UploadSource {
  if (typeof data === 'string' || data instanceof URL) {
    return { replayable: true, open: async () => (await loadOpen()).openFile(field, data) };
  }
  if (data instanceof Uint8Array) {
    return { replayable: true, open: async () => (await loadOpen()).openBytes(data) };
  }
  if (data instanceof Blob) {
    return {
      replayable: true,
      open: async () =>
        (await loadOpen()).openStream(field, Readable.fromWeb(data.stream()), data.size),
    };
  }
  if (data instanceof Readable || data instanceof ReadableStream) {
    return createStreamSource(field, data, size);
  }
  throw createInputError(
    field,
    `must be a path, a file: URL, bytes (Uint8Array), a Blob, a Readable or a ReadableStream (got ${describeKind(data)})`,
  );
}

function createStreamSource(
  field: string,
  data: Readable | ReadableStream,
  size: number | undefined,
): UploadSource {
  let opened = false;
  // The stream may fail while the call waits for a permit or for credentials. Without a listener,
  // the error would end the process.
  if (data instanceof Readable) data.on('error', () => undefined);
  return {
    replayable: false,
    async open() {
      const { createStreamError, openStream } = await loadOpen();
      const failure = data instanceof Readable ? data.errored : null;
      if (!opened && failure) throw createStreamError(field, failure);
      if (opened || isUsed(data)) {
        throw createInputError(
          field,
          'must be a stream that has not been read. To send the data more than once, pass a path.',
        );
      }
      opened = true;
      // In object mode, `SourceCheck` reports chunks that aren't bytes.
      const stream = data instanceof Readable ? data : Readable.fromWeb(data, { objectMode: true });
      return openStream(field, stream, size);
    },
  };
}

function isUsed(stream: Readable | ReadableStream): boolean {
  if (stream instanceof Readable) return stream.destroyed || stream.readableEnded;
  // `as`: Node also accepts web streams, but the types don't.
  return stream.locked || Readable.isDisturbed(stream as unknown as Readable);
}

export function createUploadBody(
  source: UploadSource,
  contentType: string,
  onProgress: OnProgress | undefined,
): StreamBody {
  return {
    kind: 'stream',
    replayable: source.replayable,
    async open(): Promise<OpenBody> {
      const { withProgress } = await loadOpen();
      const opened = await source.open();
      return { stream: withProgress(opened, onProgress), contentType, length: opened.length };
    },
  };
}

/** Returns the file name to send, or `fallback` if the data has no name. */
export function chooseFilename(data: UploadData, fallback: string): string {
  if (typeof data === 'string') return sanitizeFilename(data, fallback);
  if (data instanceof URL) return sanitizeFilename(fileURLToPath(data), fallback);
  if (data instanceof Blob && 'name' in data && typeof data.name === 'string') {
    return sanitizeFilename(data.name, fallback);
  }
  return fallback;
}

/**
 * Returns only a path's last segment, because local paths are private. Replaces control characters.
 */
export function sanitizeFilename(path: string, fallback: string): string {
  const last = basename(path.replaceAll('\\', '/')).replace(
    new RegExp(`[${unprintable}]`, 'gu'),
    '_',
  );
  const name = last.toWellFormed().slice(-200);
  return name === '' || name === '.' || name === '..' ? fallback : name;
}
