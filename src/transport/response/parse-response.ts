import { isAscii, isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { isTriforgeError, type ResponseBodyReason } from '../../errors/index.js';
import { compiledChecks, findIssues, isModel } from '../../schema/model.js';
import {
  type StandardIssue,
  type StandardResult,
  type StandardSchema,
  withoutReason,
} from '../../schema/standard-schema.js';
import { errorMessage, formatCount } from '../../schema/unknown-values.js';
import { getHeader, type RawHeaders } from '../http/headers.js';
import { parseCharset, parseEssence } from '../http/media-type.js';
import type { RawResponse } from '../http/raw-response.js';
import type { Publish } from '../request/diagnostics.js';
import type { ResponseSpec } from '../request/endpoint.js';
import {
  createBodyError,
  createOperationError,
  createShapeError,
  describeSchema,
  maskIssues,
  type ResponseErrorContext,
} from './failure.js';

export interface ParseContext<T> extends ResponseErrorContext {
  readonly responseSpec: ResponseSpec<T>;
  readonly raw: RawResponse;
  /** Mode that the call, the client or the environment sets. Undefined for the default. */
  readonly validation: ValidationMode | undefined;
  /** Whether the method is neither GET nor HEAD. */
  readonly writes: boolean;
  readonly publish: Publish;
}

/**
 * Decodes and validates a response, and returns the result. To keep calls fast, returns a promise
 * only if a caller's schema or the mapping requires one.
 * @throws {ResponseBodyError} if the body can't be read or has an unexpected type.
 * @throws {ResponseShapeError} if the response doesn't match its model.
 */
export function parseResponse<T>(context: ParseContext<T>): T | Promise<T> {
  const { responseSpec, raw } = context;
  const { map } = responseSpec;
  let value: unknown;
  switch (responseSpec.kind) {
    case 'none':
      rejectPage(context);
      break;
    case 'exists':
      value = raw.status !== 404;
      if (value) rejectPage(context);
      break;
    case 'bytes':
    case 'stream':
      value = acceptBytes(context);
      break;
    default: {
      // A 204 or 205 has no body (RFC 9110). Without a schema, the missing body is valid.
      const empty = !responseSpec.schema && (raw.status === 204 || raw.status === 205);
      const absent = empty || (responseSpec.nullOn404 === true && raw.status === 404);
      if (!absent) value = decodeAndValidate(context);
    }
  }
  // `as`: without a mapping, the validated value is the result.
  if (!map) return value as T | Promise<T>;
  if (!(value instanceof Promise)) return mapValue(context, map, value);
  return value.then((validated: unknown) => mapValue(context, map, validated));
}

/** Matches the start of an HTML page, with or without a byte order mark. */
const pageStart = /^(?:\xef\xbb\xbf)?\s*<(?:!doctype\s+html|html)\b/i;

/**
 * Rejects an HTML page, such as a proxy's login page. Such a page doesn't prove that the server
 * executed the call, or that a resource exists.
 */
function rejectPage<T>(context: ParseContext<T>): void {
  const { body } = context.raw;
  const start = body instanceof Readable ? '' : Buffer.concat(body, 100).toString('latin1');
  if (!pageStart.test(start)) return;
  throw createBodyError(context, 'unexpected_type', 'the body should be empty but is an HTML page');
}

/** Maps a value to the result. Mapping may fail if the value wasn't validated. */
function mapValue<T>(
  context: ParseContext<T>,
  map: NonNullable<ResponseSpec<T>['map']>,
  value: unknown,
): T | Promise<T> {
  try {
    return map(value, context.call.response, context.call);
  } catch (error) {
    if (isTriforgeError(error)) throw error;
    throw createShapeError(
      context,
      [{ message: `the value cannot be read: ${error}`, path: [] }],
      value,
    );
  }
}

function acceptBytes<T>(context: ParseContext<T>): Buffer | Readable {
  const { responseSpec, raw } = context;
  const type = parseEssence(getHeader(raw.headers, 'content-type'));
  const refusal = responseSpec.typeMismatch?.(type, context.call.response, context.call.accept);
  if (refusal === undefined)
    return raw.body instanceof Readable ? raw.body : Buffer.concat(raw.body);
  if (raw.body instanceof Readable) raw.body.destroy();
  throw createBodyError(context, 'unexpected_type', refusal);
}

/**
 * Returns a call's validation mode. By default, a write returns its response even if the response
 * doesn't match the model, because an error would suggest that the write failed. A caller's own
 * schema is strict by default, because its output is the result.
 */
function resolveMode<T>({ responseSpec, validation, writes }: ParseContext<T>): ValidationMode {
  if (responseSpec.isStrict) return 'strict';
  const isOwn = responseSpec.schema !== undefined && !isModel(responseSpec.schema);
  return validation ?? (writes && !isOwn ? 'warn' : 'strict');
}

/** Decodes and validates the body. Returns a promise only for a caller's schema. */
function decodeAndValidate<T>(context: ParseContext<T>): unknown {
  const { responseSpec, raw } = context;
  const { schema } = responseSpec;
  const publishDrift = (issues: readonly StandardIssue[]) =>
    context.publish('triforge:shape-drift', () => ({
      request: context.call.describe(),
      model: describeSchema(schema),
      issues: maskIssues(issues, context.call.secrets),
    }));
  const body = raw.body instanceof Readable ? [] : raw.body;
  const exact = decodeJson(body, raw.headers);
  const isGarbled = context.writes && !exact.ok && exact.problem === 'undecodable';
  const decoded = isGarbled ? decodeJson(body, raw.headers, true) : exact;
  if (!decoded.ok) throw createBodyError(context, decoded.problem, decoded.detail, decoded.cause);
  if (responseSpec.outcome) context.call.response.outcome = responseSpec.outcome(decoded.value);
  const failure = responseSpec.failure?.(decoded.value);
  if (failure) throw createOperationError(context, failure.statusMessage, decoded.value);
  if (!exact.ok) {
    if (resolveMode(context) === 'strict') {
      throw createBodyError(context, exact.problem, exact.detail);
    }
    publishDrift([{ message: exact.detail, path: [] }]);
  }
  const value = responseSpec.unwrap ? responseSpec.unwrap(decoded.value) : decoded.value;
  const isOff = context.validation === 'off' && responseSpec.isStrict !== true;
  // A value that matches its model needs no further check.
  if (schema && !isOff && compiledChecks.get(schema)?.(value)) return value;
  const mismatch = responseSpec.mismatch?.(value);
  if (mismatch !== undefined) {
    throw createShapeError(context, [{ message: mismatch, path: [] }], decoded.value);
  }
  if (!schema || isOff) return value;
  const isTolerant = resolveMode(context) === 'warn' || responseSpec.unspecified === true;
  const handle = (issues: readonly StandardIssue[]) => {
    if (!isTolerant) throw createShapeError(context, issues, decoded.value);
    publishDrift(issues);
    return value;
  };
  if (!isModel(schema)) return validateForeign(context, schema, value, handle);
  const issues = findIssues(schema, value);
  return issues ? handle(issues) : value;
}

/**
 * Validates a value with a caller's schema and returns the schema's output.
 * @param handle returns the result for an invalid value, or throws an error.
 * @throws {ResponseShapeError} if the schema throws.
 */
async function validateForeign<T>(
  context: ParseContext<T>,
  schema: StandardSchema,
  value: unknown,
  handle: (issues: readonly StandardIssue[]) => unknown,
): Promise<unknown> {
  let result: StandardResult<unknown>;
  try {
    result = await schema['~standard'].validate(value);
    if (!result.issues) return result.value;
  } catch (cause) {
    const message = `the schema threw an error: ${errorMessage(cause)}`;
    throw createShapeError(context, [{ message, path: [] }], value, cause);
  }
  return handle(result.issues.length > 0 ? result.issues : [withoutReason]);
}

/** A decoded body, or the reason why decoding failed. */
export type Decoded =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      readonly problem: ResponseBodyReason;
      readonly detail: string;
      readonly cause?: unknown;
    };

/**
 * Decodes JSON regardless of its media type, because older appliances send JSON as `text/html`.
 * Integers outside the safe range become strings, because a number would be rounded.
 * @param isLossy whether to replace bytes that can't be decoded instead of failing.
 */
export function decodeJson(body: readonly Buffer[], headers: RawHeaders, isLossy = false): Decoded {
  const contentType = getHeader(headers, 'content-type');
  const text =
    decodeText(body, contentType) ?? (isLossy ? Buffer.concat(body).toString() : undefined);
  if (text === undefined) {
    return {
      ok: false,
      problem: 'undecodable',
      detail: `the body is not valid ${(parseCharset(contentType) ?? 'UTF-8').toUpperCase()}`,
    };
  }
  if (text.trim() === '') {
    return { ok: false, problem: 'empty', detail: 'the body is empty' };
  }
  try {
    const value: unknown = JSON.parse(text);
    // Quote only after parsing, so that invalid JSON stays invalid.
    return {
      ok: true,
      value: longInteger.test(text) ? JSON.parse(quoteUnsafeIntegers(text)) : value,
    };
  } catch (cause) {
    const type = parseEssence(contentType);
    const foreign = /^\s*</.test(text);
    return {
      ok: false,
      problem: foreign ? 'unexpected_type' : 'invalid_json',
      detail: foreign
        ? `the body is ${type === '' ? 'markup' : type} instead of JSON`
        : `the body is not valid JSON (${formatCount(Buffer.concat(body).length, 'byte')})`,
      cause,
    };
  }
}

const digits = String.raw`\d`.repeat(16);

/**
 * Matches JSON that may contain an integer with at least 16 digits, which may be unsafe. A letter
 * or quote before the digits indicates a string, such as a SHA. The digits are written out because
 * V8 skips text only in patterns without quantifiers: the search takes less than 10% of the time
 * that `JSON.parse` takes (measured), but several times as long with `\d{16}`.
 */
const longInteger = new RegExp(`${digits}(?<=(?:^|[\\s:,[-])${digits})`);

/** Quotes integers outside the safe range in valid JSON, but not inside its strings. */
function quoteUnsafeIntegers(text: string): string {
  let isInString = false;
  return text.replace(/\\.|"|(?<![\d.eE+-])-?\d{16,}(?![\d.eE])/g, (token) => {
    if (token === '"') isInString = !isInString;
    const isKept = isInString || token.length < 16 || Number.isSafeInteger(Number(token));
    return isKept ? token : `"${token}"`;
  });
}

/** Shared, because creating a decoder takes longer than decoding a short body. */
const utf8 = new StringDecoder();

/**
 * Decodes a body as text and removes the byte-order mark. Valid UTF-8 is always decoded as UTF-8,
 * because JSON has no other charset (RFC 8259) and some servers declare the wrong charset. Returns
 * undefined if the bytes are invalid or the charset is unknown.
 * @param contentType header that may declare a charset. Default: UTF-8.
 */
export function decodeText(body: readonly Buffer[], contentType = ''): string | undefined {
  // In these charsets, the bytes of any text can look like ASCII.
  if (!/charset\s*=\s*"?(?:utf-16|iso-2022)/i.test(contentType)) {
    // Discard what an earlier body left behind if its text was too long for a string.
    utf8.end();
    // ASCII is valid Latin-1, which Node.js decodes faster than UTF-8.
    const isPlain = body.every((chunk) => isAscii(chunk));
    // Decode each chunk, because joining the chunks first takes more memory and time.
    let text = '';
    for (const chunk of body) text += isPlain ? chunk.toString('latin1') : utf8.write(chunk);
    text += utf8.end();
    // The decoder replaces invalid bytes with U+FFFD, which valid text may also contain.
    if (!text.includes('\ufffd') || isUtf8(Buffer.concat(body))) return text.replace(/^\ufeff/, '');
  }
  try {
    return new TextDecoder(parseCharset(contentType), { fatal: true }).decode(Buffer.concat(body));
  } catch {
    return undefined;
  }
}

/**
 * Cache of decoded error bodies. Each body is read up to four times: to detect rate limits and to
 * create the error.
 */
const decodedErrors = new WeakMap<readonly Buffer[], unknown>();

/** Decodes an error's body as JSON, or as text if it isn't JSON. Never throws. */
export function decodeErrorBody(body: readonly Buffer[], headers: RawHeaders): unknown {
  if (decodedErrors.has(body)) return decodedErrors.get(body);
  const decoded = decodeJson(body, headers, true);
  const type = getHeader(headers, 'content-type');
  const value = decoded.ok
    ? decoded.value
    : (decodeText(body, type) ?? Buffer.concat(body).toString('latin1'));
  decodedErrors.set(body, value);
  return value;
}

/**
 * What to do with a response that doesn't match its model. `strict`: throw a `ResponseShapeError`,
 * or treat a response that the API doesn't specify as with `warn`. `warn`: publish a
 * `triforge:shape-drift` event and return the response. `off`: don't validate. Default:
 * `TRIFORGE_VALIDATION` or, if the variable is unset, `warn` for writes without a custom schema,
 * and `strict` for all other calls.
 */
export type ValidationMode = 'strict' | 'warn' | 'off';
