import { finished, type Readable } from 'node:stream';
import type FormData from 'form-data';
import { mediaTypes, type OpenBody, type StreamBody } from '../request/body.js';
import { createMeter, type OnProgress, type OpenSource, type UploadSource } from './open.js';
import { sanitizeFilename } from './upload.js';

export interface FilePart {
  readonly name: string;
  readonly source: UploadSource;
  /** File name to send. Only a path's last segment is sent, without control characters. */
  readonly filename: string;
}

/** A form part whose source has been opened. */
interface OpenPart {
  readonly part: FilePart;
  readonly open: OpenSource;
}

/**
 * Creates a `multipart/form-data` body, which is built again for each attempt. The body is sent
 * chunked unless the sizes of all parts are known.
 * @param onProgress reports progress in bytes of the whole body, including the boundaries between
 * parts.
 */
export function createMultipartBody(
  parts: readonly FilePart[],
  onProgress: OnProgress | undefined,
): StreamBody {
  return {
    kind: 'stream',
    replayable: parts.every(({ source }) => source.replayable),
    open: () => openForm(parts, onProgress),
  };
}

/** Opens a form's sources and builds its body. */
async function openForm(
  parts: readonly FilePart[],
  onProgress: OnProgress | undefined,
): Promise<OpenBody> {
  // Load form-data on demand, because it has a long table of media types.
  const { default: Form } = await import('form-data');
  const form = new Form();
  const opened = await openAll(parts);
  for (const each of opened) append(form, each);
  const known = opened.every(({ open }) => open.length !== undefined);
  const length = known ? form.getLengthSync() : undefined;
  const sources = opened.flatMap(({ open }) => (open.length === 0 ? [] : [open.stream]));
  return {
    stream: pipeForm(form, sources, length, onProgress),
    contentType: `multipart/form-data; boundary=${form.getBoundary()}`,
    length,
  };
}

/** Opens all sources. If one fails, closes the sources that are already open. */
async function openAll(parts: readonly FilePart[]): Promise<OpenPart[]> {
  const opened: OpenPart[] = [];
  try {
    for (const part of parts) opened.push({ part, open: await part.source.open() });
    return opened;
  } catch (cause) {
    for (const { open } of opened) open.stream.destroy();
    throw cause;
  }
}

function append(form: FormData, { part, open }: OpenPart): void {
  const filename = sanitizeFilename(part.filename, part.name);
  const options = { filename, contentType: mediaTypes.bytes };
  if (open.length === 0) {
    // form-data treats a known length of 0 as unknown.
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
 * Wraps a form in a stream that destroys the form's sources when the stream closes. form-data
 * itself is an old-style stream that never closes and leaves its sources open.
 */
function pipeForm(
  form: FormData,
  sources: readonly Readable[],
  total: number | undefined,
  onProgress: OnProgress | undefined,
): Readable {
  const meter = createMeter(total, onProgress);
  // The sender listens for errors only while it sends. Without this listener, a later error would
  // end the process.
  meter.on('error', () => undefined);
  meter.once('close', () => {
    for (const source of sources) source.destroy();
  });
  for (const source of sources) {
    // `finished` also reports a source that closes early without an error.
    finished(source, (cause) => cause && meter.destroy(cause));
  }
  form.on('error', (cause) => meter.destroy(cause));
  form.pipe(meter);
  return meter;
}
