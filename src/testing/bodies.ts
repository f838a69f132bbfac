import { isRecord } from '../schema/unknown-values.js';
import { ByteBuffer } from './byte-buffer.js';
import { httpError } from './reply.js';

/** Maximum size of a JSON or form body in bytes. The largest valid inputs are file contents of up to 1 MiB. */
const mostBytes = 8 * 1_048_576;

/**
 * Maximum number of fields in a body, far more than the emulated APIs need. Each field becomes an
 * object, so a body with many small fields uses a lot of memory.
 */
const mostFields = 10_000;

/**
 * Maximum number of values in a JSON body. A three-byte value such as `{},` takes up a hundred times
 * its size in memory.
 */
const mostValues = 100_000;

/**
 * Maximum nesting depth of JSON. No valid input is nested deeper, and very deep nesting would overflow
 * the stack in recursive code.
 */
const deepest = 100;

/** Returns a request body's media type without parameters. Empty if there is no `Content-Type`. */
export function parseMediaType(headers: Headers): string {
  return (headers.get('content-type') ?? '').split(';', 1)[0]?.trim().toLowerCase() ?? '';
}

/** Reads a body. @throws {HttpError} 413 if the body exceeds `most` bytes. */
async function readBytes(request: Request, most: number) {
  const buffer = new ByteBuffer();
  try {
    for await (const piece of request.body ?? []) {
      if (buffer.size + piece.byteLength > most) {
        throw httpError(413, `the body exceeds ${most} bytes`);
      }
      buffer.add(piece);
    }
    return buffer.bytes();
  } finally {
    buffer.clear();
  }
}

/**
 * Reads a body as text.
 * @param most Maximum size in bytes. Default: 8 MiB.
 * @throws {HttpError} 413 if the body is larger.
 */
export async function readText(request: Request, most = mostBytes): Promise<string> {
  return (await readBytes(request, most)).toString();
}

/** Checks the number of fields in a body. @throws {HttpError} 413 if the number exceeds 10,000. */
export function checkFieldCount(count: number): void {
  if (count <= mostFields) return;
  throw httpError(413, `the body exceeds ${mostFields} fields`);
}

/**
 * Parses `application/x-www-form-urlencoded` text.
 * @throws {HttpError} 413 if the form has more than 10,000 fields.
 */
export function parseForm(text: string): URLSearchParams {
  // Counts the separators before parsing, because the fields of a huge form would use a lot of memory.
  checkFieldCount(countMatches(text, '&') + 1);
  return new URLSearchParams(text);
}

function countMatches(body: string | Buffer, mark: string): number {
  let count = 0;
  for (let at = body.indexOf(mark); at >= 0; at = body.indexOf(mark, at + 1)) count += 1;
  return count;
}

/**
 * Parses JSON. Returns undefined if the text is invalid or nested too deeply. Replaces escaped lone
 * surrogates, which UTF-8 can't encode, with U+FFFD.
 * @throws {HttpError} 413 if the text has more than 100,000 values.
 */
export function parseJson(text: string): unknown {
  const { depth, values } = measureJson(text);
  if (depth > deepest) return undefined;
  checkValueCount(values, mostValues);
  try {
    return JSON.parse(text, escapedSurrogate.test(text) ? wellFormed : undefined);
  } catch {
    return undefined;
  }
}

/**
 * Parses a JSON object. Empty text counts as `{}`.
 * @throws {HttpError} 400 if it isn't a JSON object.
 */
export function parseJsonObject(text: string): Record<string, unknown> {
  const value = text === '' ? {} : parseJson(text);
  if (isRecord(value)) return value;
  throw httpError(400, 'the body must be a JSON object');
}

/** Checks the number of values in a body. @throws {HttpError} 413 if there are more than `most`. */
export function checkValueCount(values: number, most: number): void {
  if (values > most) throw httpError(413, `the body exceeds ${most} values`);
}

/** Returns the nesting depth and the number of values of JSON text. */
export function measureJson(text: string) {
  let [level, depth, values] = [0, 0, 1];
  let quoted = false;
  for (let index = 0; index < text.length; index++) {
    const mark = text[index];
    if (quoted && mark === '\\') index += 1;
    else if (mark === '"') quoted = !quoted;
    else if (quoted) continue;
    else if (mark === ',') values += 1;
    else if (mark === ']' || mark === '}') level -= 1;
    else if (mark === '[' || mark === '{') {
      // Counts the first item of a list or object. Each comma adds one more item.
      if (!/[\]}]/.test(text[index + 1] ?? '')) values += 1;
      level += 1;
      depth = Math.max(depth, level);
    }
  }
  return { depth, values };
}

/**
 * Matches an escaped surrogate. Text decoded from UTF-8 has no lone surrogates, but JSON escapes
 * can create some.
 */
const escapedSurrogate = /\\ud/i;

/**
 * Reviver for `JSON.parse` that makes strings and member names well-formed. Nested values are
 * revived first.
 */
function wellFormed(_name: string, value: unknown): unknown {
  if (typeof value === 'string') return value.toWellFormed();
  if (!isRecord(value)) return value;
  const members = Object.entries(value).map(([name, each]) => [name.toWellFormed(), each]);
  return Object.fromEntries(members);
}

/** Counts the parts of a multipart body. Counting is much faster than parsing. */
function countParts(bytes: Buffer, headers: Headers): number {
  const [, quoted, plain] =
    /;\s*boundary=(?:"([^"]+)"|([^\s;"]+))/i.exec(headers.get('content-type') ?? '') ?? [];
  return countMatches(bytes, `--${quoted ?? plain}`) - 1;
}

/**
 * Reads the fields of an `application/x-www-form-urlencoded` or `multipart/form-data` body.
 * @throws {HttpError} 400 if the form is invalid, 413 if it is too large, 415 if the body isn't a form.
 */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const type = parseMediaType(request.headers);
  if (type === 'multipart/form-data') {
    const { headers } = request;
    const bytes = await readBytes(request, mostBytes);
    if (bytes.length === 0) return new URLSearchParams();
    checkFieldCount(countParts(bytes, headers));
    const form = await new Response(bytes, { headers }).formData().catch(() => {
      throw httpError(400, 'the multipart form is truncated or malformed');
    });
    const fields = new URLSearchParams();
    for (const [name, value] of form) {
      fields.append(name, typeof value === 'string' ? value : await value.text());
    }
    return fields;
  }
  const text = await readText(request);
  if (text === '' || type === 'application/x-www-form-urlencoded') return parseForm(text);
  const expected = 'application/x-www-form-urlencoded or multipart/form-data';
  throw httpError(415, `the content type must be ${expected} (got ${type || 'none'})`);
}
