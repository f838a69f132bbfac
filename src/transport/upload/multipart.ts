import { basename } from 'node:path';
import { finished, type Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import type FormData from 'form-data';
import type { OpenBody, StreamBody } from '../request/body.js';
import { type ExtraInputs, extraParameters } from '../request/extra-inputs.js';
import {
  meterOf,
  type OnProgress,
  type OpenSource,
  type UploadData,
  type UploadSource,
} from './upload.js';

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

/** A file part whose source has been opened. */
interface OpenPart {
  readonly part: MultipartPart;
  readonly open: OpenSource | undefined;
}

/**
 * A `multipart/form-data` body, streamed part after part, and built anew for each attempt. Its length
 * is sent when the sizes of all parts are known, else it goes out chunked.
 * @param onProgress told the bytes of the whole body, the framing of its parts included.
 */
export function multipartBody(
  parts: readonly MultipartPart[],
  onProgress: OnProgress | undefined,
): StreamBody {
  return {
    kind: 'stream',
    replayable: parts.every((part) => 'text' in part || part.source.replayable),
    async open(): Promise<OpenBody> {
      // Loaded by those who send forms, and by no one else.
      const { default: Form } = await import('form-data');
      const form = new Form();
      const opened = await openAll(parts);
      for (const each of opened) append(form, each);
      const known = opened.every(({ open }) => !open || open.length !== undefined);
      const length = known ? form.getLengthSync() : undefined;
      const sources = opened.flatMap(({ open }) =>
        open && open.length !== 0 ? [open.stream] : [],
      );
      return {
        stream: through(form, sources, length, onProgress),
        contentType: `multipart/form-data; boundary=${form.getBoundary()}`,
        length,
        // Each knows its own.
        recycle: (chunk) => {
          for (const { open } of opened) open?.recycle?.(chunk);
        },
      };
    },
  };
}

/** Extra inputs as fields of a form. @throws {InvalidRequestError} a value that is no parameter. */
export function extraFields(operation: string, extra: ExtraInputs | undefined): TextPart[] {
  return extraParameters(operation, 'body', extra ?? {}).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each) => ({ name, text: String(each) })),
  );
}

/** The name of a file as it goes out; `fallback` where the data has none. */
export function filenameOf(data: UploadData, fallback: string): string {
  if (typeof data === 'string') return safeName(data, fallback);
  if (data instanceof URL) return safeName(fileURLToPath(data), fallback);
  if (data instanceof Blob && 'name' in data && typeof data.name === 'string') {
    return safeName(data.name, fallback);
  }
  return fallback;
}

/** The last segment only: a path of this machine is nobody's business. */
function safeName(path: string, fallback: string): string {
  const last = basename(path.replaceAll('\\', '/')).replace(/[\p{Cc}\p{Cf}]/gu, '_');
  const name = last.toWellFormed().slice(-200);
  return name === '' || name === '.' || name === '..' ? fallback : name;
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
    filename: safeName(part.filename, part.name),
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
