import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unprintable } from '../http/redact.js';
import type { StreamBody } from '../request/body.js';
import { type ExtraInputs, extraParameters } from '../request/extra-inputs.js';
import type { MultipartPart, OnProgress, TextPart } from './open.js';
import type { UploadData } from './upload.js';

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
    open: async () => (await import('./open.js')).openForm(parts.map(withSafeName), onProgress),
  };
}

/** Extra inputs as fields of a form. @throws {InvalidRequestError} a value that is no parameter. */
export function extraFields(operation: string, extra: ExtraInputs | undefined): TextPart[] {
  return extraParameters(operation, 'body', extra ?? {}).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each) => ({ name, text: String(each) })),
  );
}

/** The name of a file as it goes out; `fallback` where the data has none. */
export function chooseFilename(data: UploadData, fallback: string): string {
  if (typeof data === 'string') return safeName(data, fallback);
  if (data instanceof URL) return safeName(fileURLToPath(data), fallback);
  if (data instanceof Blob && 'name' in data && typeof data.name === 'string') {
    return safeName(data.name, fallback);
  }
  return fallback;
}

function withSafeName(part: MultipartPart): MultipartPart {
  return 'text' in part ? part : { ...part, filename: safeName(part.filename, part.name) };
}

/** The last segment only: a path of this machine is nobody's business. */
function safeName(path: string, fallback: string): string {
  const last = basename(path.replaceAll('\\', '/')).replace(
    new RegExp(`[${unprintable}]`, 'gu'),
    '_',
  );
  const name = last.toWellFormed().slice(-200);
  return name === '' || name === '.' || name === '..' ? fallback : name;
}
