import { basename } from 'node:path';
import { fileURLToPath } from 'node:url';
import { unprintable } from '../http/redact.js';
import type { StreamBody } from '../request/body.js';
import { type ExtraInputs, extraParameters } from '../request/extra-inputs.js';
import type { MultipartPart, OnProgress, TextPart } from './open.js';
import type { UploadData } from './upload.js';

/**
 * Creates a `multipart/form-data` body, which is built again for each attempt. It is sent chunked unless
 * the sizes of all parts are known.
 * @param onProgress reports bytes of the whole body, including the boundaries of its parts.
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

/** Converts extra inputs to form fields. @throws {InvalidRequestError} if a value isn't a parameter. */
export function extraFields(operation: string, extra: ExtraInputs | undefined): TextPart[] {
  return extraParameters(operation, 'body', extra ?? {}).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value]).map((each) => ({ name, text: String(each) })),
  );
}

/** Returns the file name to send, or `fallback` if the data has none. */
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

/** Returns the last segment, because paths of this machine are private. */
function safeName(path: string, fallback: string): string {
  const last = basename(path.replaceAll('\\', '/')).replace(
    new RegExp(`[${unprintable}]`, 'gu'),
    '_',
  );
  const name = last.toWellFormed().slice(-200);
  return name === '' || name === '.' || name === '..' ? fallback : name;
}
