import { isUtf8 } from 'node:buffer';
import { isRecord } from '../schema/unknown-values.js';
import { httpError } from './reply.js';

/** Maximum size of a JSON or form body in bytes. The largest valid inputs are file contents of up to 1 MiB. */
const mostBytes = 8 * 1_048_576;
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
async function readBytes(request: Request, most: number): Promise<Buffer<ArrayBuffer>> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of request.body ?? []) {
    size += piece.byteLength;
    if (size > most) throw httpError(413, `the body exceeds ${most} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
}

/**
 * Reads a body as text.
 * @param most Maximum size in bytes. Default: 8 MiB.
 * @throws {HttpError} 413 if the body is larger.
 */
export async function readText(request: Request, most = mostBytes): Promise<string> {
  return (await readBytes(request, most)).toString();
}

/**
 * Parses JSON. Returns undefined if the text is invalid or nested too deeply. Replaces escaped lone
 * surrogates in strings, which UTF-8 can't encode, with U+FFFD.
 */
export function parseJson(text: string): unknown {
  try {
    const value: unknown = JSON.parse(text, (_name, each) =>
      typeof each === 'string' ? each.toWellFormed() : each,
    );
    return isDeeper(value, deepest) ? undefined : value;
  } catch {
    return undefined;
  }
}

/**
 * Maximum depth of JSON in recordings and worlds. Visiting deeper values would overflow the stack.
 */
export const deepestJson = 500;

/**
 * Parses a JSON object. Empty text is treated as `{}`.
 * @throws {HttpError} 400 if the text isn't a JSON object.
 */
export function parseJsonObject(text: string): Record<string, unknown> {
  const value = text === '' ? {} : parseJson(text);
  if (isRecord(value)) return value;
  throw httpError(400, 'the body must be a JSON object');
}

/** Returns whether JSON data has more than the specified number of levels. */
export function isDeeper(data: unknown, levels: number): boolean {
  if (typeof data !== 'object' || data === null) return false;
  return levels === 0 || Object.values(data).some((each) => isDeeper(each, levels - 1));
}

/**
 * Reads a `multipart/form-data` body. An empty body is a form without fields.
 * @param most Maximum size in bytes. Default: 8 MiB.
 * @throws {HttpError} 400 if the form is invalid, 413 if the body is larger.
 */
export async function readMultipart(request: Request, most = mostBytes): Promise<FormData> {
  const { headers } = request;
  const bytes = await readBytes(request, most);
  if (bytes.length === 0) return new FormData();
  return await new Response(bytes, { headers }).formData().catch(() => {
    throw httpError(400, 'the multipart form is truncated or malformed');
  });
}

/**
 * Reads the fields of an `application/x-www-form-urlencoded` or `multipart/form-data` body.
 * @throws {HttpError} 400 if the form is invalid, 413 if it is too large, 415 if the body isn't a form.
 */
export async function readForm(request: Request): Promise<URLSearchParams> {
  const type = parseMediaType(request.headers);
  if (type === 'multipart/form-data') {
    const fields = new URLSearchParams();
    for (const [name, value] of await readMultipart(request)) {
      fields.append(name, typeof value === 'string' ? value : await value.text());
    }
    return fields;
  }
  const text = await readText(request);
  if (text === '' || type === 'application/x-www-form-urlencoded') return new URLSearchParams(text);
  const expected = 'application/x-www-form-urlencoded or multipart/form-data';
  throw httpError(415, `the content type must be ${expected} (got ${type || 'none'})`);
}

/** Maximum size of a recorded body in bytes. Larger bodies pass through as streams. */
const recordedBytes = 1_048_576;

/**
 * Reads a request's body for the request log if it is JSON or a form of at most 1 MiB.
 * @returns a request whose body can still be read, and the body's text. The text is undefined if
 * the body is not recorded.
 */
export async function readForRecord(request: Request): Promise<[Request, string | undefined]> {
  const { url, method, headers, signal } = request;
  // Secrets in a compressed body couldn't be masked.
  const isReadable =
    /json|x-www-form-urlencoded/i.test(headers.get('content-type') ?? '') &&
    !headers.has('content-encoding');
  if (!request.body || !isReadable) return [request, undefined];
  const rest = request.body.values();
  const pieces: Uint8Array[] = [];
  let size = 0;
  let isComplete = false;
  while (!isComplete && size <= recordedBytes) {
    const { done, value } = await rest.next();
    if (done) isComplete = true;
    else {
      pieces.push(value);
      size += value.byteLength;
    }
  }
  const resumed = (async function* () {
    yield* pieces;
    yield* rest;
  })();
  const body = ReadableStream.from(resumed);
  const read = Buffer.concat(pieces);
  return [
    new Request(url, { method, headers, signal, body, duplex: 'half' }),
    isComplete ? read.toString(isUtf8(read) ? 'utf8' : 'latin1') : undefined,
  ];
}
