import { isRecord } from '../schema/unknown-values.js';
import { ByteBuffer } from './byte-buffer.js';
import { Refused, type Reply } from './reply.js';

/** Makes the answer to a body that can't be read, as the family writes it. */
export type BodyRefusal = (status: 400 | 413 | 415, message: string) => Reply;

/** No JSON or form of these APIs comes near it: contents have at most 1 MB. */
const mostBytes = 8 * 1_048_576;

/**
 * Maximum number of fields, far more than these APIs need. Each field is an object, so many small ones
 * take much memory.
 */
const mostFields = 10_000;

/** Deeper JSON is no input of these APIs, and would exhaust the stack of what walks through it. */
const deepest = 100;

/** The media type of a request's body, without its parameters; empty where none is given. */
export function mediaTypeOf(headers: Headers): string {
  return (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** The bytes of a body. @throws {Refused} 413 */
async function readBytes(request: Request, refusal: BodyRefusal, most: number) {
  const buffer = new ByteBuffer();
  try {
    for await (const piece of request.body ?? []) {
      if (buffer.size + piece.byteLength > most) {
        throw new Refused(refusal(413, `a body of more than ${most} bytes`));
      }
      buffer.add(piece);
    }
    return buffer.bytes();
  } finally {
    buffer.clear();
  }
}

/** The text of a body. @param most bytes; default 8 MiB. @throws {Refused} 413 */
export async function readText(
  request: Request,
  refusal: BodyRefusal,
  most = mostBytes,
): Promise<string> {
  return (await readBytes(request, refusal, most)).toString();
}

/** @throws {Refused} 413 */
export function checkFieldCount(count: number, refusal: BodyRefusal): void {
  if (count <= mostFields) return;
  throw new Refused(refusal(413, `a body of more than ${mostFields} fields`));
}

/** The fields of an `application/x-www-form-urlencoded` text. @throws {Refused} 413 */
export function parseForm(text: string, refusal: BodyRefusal): URLSearchParams {
  let count = 1;
  // Counts before the text is parsed, and without splitting it.
  for (let at = text.indexOf('&'); at >= 0; at = text.indexOf('&', at + 1)) count += 1;
  checkFieldCount(count, refusal);
  return new URLSearchParams(text);
}

/**
 * A JSON text as its value; undefined where it is none, or nested too deep. Escapes of lone surrogates,
 * which no UTF-8 can carry, become replacement characters.
 */
export function parseJson(text: string): unknown {
  if (depthOf(text) > deepest) return undefined;
  try {
    return JSON.parse(text, wellFormed);
  } catch {
    return undefined;
  }
}

/** How deep arrays and objects are nested in a JSON text. */
function depthOf(text: string): number {
  let depth = 0;
  let most = 0;
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    const mark = text[index];
    if (quoted && mark === '\\') index += 1;
    else if (mark === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (mark === '[' || mark === '{') most = Math.max(most, ++depth);
    else if (mark === ']' || mark === '}') depth -= 1;
  }
  return most;
}

/** Revives one value of a JSON text; those inside it were revived before. */
function wellFormed(_name: string, value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (!isRecord(value)) return value;
  const members = Object.entries(value).map(([name, each]) => [name.toWellFormed(), each]);
  return Object.fromEntries(members);
}

/** Counts the parts of a multipart body before it is parsed, which takes much longer. */
function countParts(bytes: Buffer, headers: Headers): number {
  const [, quoted, plain] =
    /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(headers.get('content-type') ?? '') ?? [];
  const delimiter = `--${quoted ?? plain}`;
  let count = 0;
  for (let at = bytes.indexOf(delimiter); at >= 0; at = bytes.indexOf(delimiter, at + 1))
    count += 1;
  return count - 1;
}

/** The fields of a form, `application/x-www-form-urlencoded` or `multipart/form-data`. @throws {Refused} 400, 413, 415 */
export async function readForm(request: Request, refusal: BodyRefusal): Promise<URLSearchParams> {
  if (!request.body) return new URLSearchParams();
  const type = mediaTypeOf(request.headers);
  if (type === 'multipart/form-data') {
    const { headers } = request;
    const bytes = await readBytes(request, refusal, mostBytes);
    checkFieldCount(countParts(bytes, headers), refusal);
    const form = await new Response(bytes, { headers }).formData().catch(() => {
      throw new Refused(refusal(400, 'the multipart form ended early, or is broken'));
    });
    const fields = new URLSearchParams();
    for (const [name, value] of form) {
      fields.append(name, typeof value === 'string' ? value : await value.text());
    }
    return fields;
  }
  const text = await readText(request, refusal);
  if (text === '' || type === 'application/x-www-form-urlencoded') return parseForm(text, refusal);
  const expected = 'application/x-www-form-urlencoded or multipart/form-data';
  throw new Refused(
    refusal(415, `expected a form (${expected}), got ${type || 'no content type'}`),
  );
}
