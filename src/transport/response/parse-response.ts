import { isAscii, isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
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
import { parseEssence } from '../http/media-type.js';
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
} from './response-errors.js';

export interface ParseContext<T> extends ResponseErrorContext {
  readonly responseSpec: ResponseSpec<T>;
  readonly raw: RawResponse;
  readonly validation: ValidationMode;
  readonly publish: Publish;
}

/**
 * Decodes and validates a response, and returns the result. To keep calls fast, returns a promise
 * only if a caller's schema is asynchronous.
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
  const start = body instanceof Buffer ? body.toString('latin1', 0, 100) : '';
  if (!pageStart.test(start)) return;
  throw createBodyError(context, 'unexpected_type', 'the body is an HTML page instead of empty');
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
  const refusal = responseSpec.typeMismatch?.(type, context.call.response);
  if (refusal === undefined) return raw.body;
  if (raw.body instanceof Readable) raw.body.destroy();
  throw createBodyError(context, 'unexpected_type', refusal);
}

/** Decodes and validates the body. Returns a promise only if validation is asynchronous. */
function decodeAndValidate<T>(context: ParseContext<T>): unknown {
  const { responseSpec, raw } = context;
  const body = raw.body instanceof Buffer ? raw.body : Buffer.alloc(0);
  const decoded = decodeJson(body, raw.headers);
  if (!decoded.ok) throw createBodyError(context, decoded.problem, decoded.detail, decoded.cause);
  if (responseSpec.outcome) context.call.response.outcome = responseSpec.outcome(decoded.value);
  const failure = responseSpec.failure?.(decoded.value);
  if (failure) throw createOperationError(context, failure.statusMessage, decoded.value);
  const value = responseSpec.unwrap ? responseSpec.unwrap(decoded.value) : decoded.value;
  const { schema } = responseSpec;
  const validation = responseSpec.isStrict ? 'strict' : context.validation;
  // A value that matches its model needs no further check.
  if (schema && validation !== 'off' && compiledChecks.get(schema)?.(value)) return value;
  const mismatch = responseSpec.mismatch?.(value);
  if (mismatch !== undefined) {
    throw createShapeError(context, [{ message: mismatch, path: [] }], decoded.value);
  }
  if (!schema || validation === 'off') return value;
  const isTolerant = validation === 'warn' || responseSpec.unspecified === true;
  const handle = (issues: readonly StandardIssue[]) => {
    if (!isTolerant) throw createShapeError(context, issues, decoded.value);
    const model = describeSchema(schema);
    context.publish('triforge:shape-drift', () => ({
      request: context.call.describe(),
      model,
      issues: maskIssues(issues, context.call.secrets),
    }));
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

/** Decodes JSON regardless of its media type, because consoles send JSON as `text/html`. */
export function decodeJson(body: Buffer, headers: RawHeaders): Decoded {
  const text = decodeText(body);
  if (text === undefined) {
    return { ok: false, problem: 'undecodable', detail: 'the body is not valid UTF-8' };
  }
  if (text.trim() === '') {
    return { ok: false, problem: 'empty', detail: 'the body is empty' };
  }
  try {
    const value: unknown = JSON.parse(text);
    return { ok: true, value };
  } catch (cause) {
    const type = parseEssence(getHeader(headers, 'content-type'));
    const foreign = /^\s*</.test(text);
    return {
      ok: false,
      problem: foreign ? 'unexpected_type' : 'invalid_json',
      detail: foreign
        ? `the body is ${type === '' ? 'markup' : type} instead of JSON`
        : `the body is not valid JSON (${formatCount(body.length, 'byte')})`,
      cause,
    };
  }
}

/**
 * Decodes a body as text and removes the byte-order mark. Decodes ASCII as Latin-1, which takes
 * half as long as UTF-8 (measured). Returns undefined if the body isn't UTF-8.
 */
export function decodeText(body: Buffer): string | undefined {
  if (isAscii(body)) return body.toString('latin1');
  if (!isUtf8(body)) return undefined;
  const marked = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  return body.toString('utf8', marked ? 3 : 0);
}

/**
 * Cache of decoded error bodies. Each body is read to detect rate limits and again to create the
 * error.
 */
const decodedErrors = new WeakMap<Buffer, unknown>();

/** Decodes an error's body as JSON, or as text if it isn't JSON. Never throws. */
export function decodeErrorBody(body: Buffer, headers: RawHeaders): unknown {
  if (decodedErrors.has(body)) return decodedErrors.get(body);
  const decoded = decodeJson(body, headers);
  const value = decoded.ok ? decoded.value : (decodeText(body) ?? body.toString('latin1'));
  decodedErrors.set(body, value);
  return value;
}

/**
 * What to do with a response that doesn't match its model. `strict`: throw a `ResponseShapeError`.
 * `warn`: publish a `triforge:shape-drift` event and return the response. `off`: don't validate.
 * Default: `strict`.
 */
export type ValidationMode = 'strict' | 'warn' | 'off';
