import { isAscii, isUtf8 } from 'node:buffer';
import { Readable } from 'node:stream';
import { isTriforgeError, type ResponseBodyReason } from '../../errors/index.js';
import { fits, isModel, issuesOf } from '../../schema/model.js';
import type { StandardIssue, StandardSchema } from '../../schema/standard-schema.js';
import { headerOf, type RawHeaders } from '../http/header-fields.js';
import { mediaTypeOf } from '../http/media-type.js';
import type { RawResponse } from '../http/raw-response.js';
import type { Publish } from '../request/diagnostics.js';
import type { Answer } from '../request/endpoint.js';
import {
  type AnswerErrorContext,
  bodyError,
  nameOf,
  operationError,
  printable,
  shapeError,
} from './answer-errors.js';

/** What the end of a successful call is made from. */
export interface ParseContext<T> extends AnswerErrorContext {
  readonly answer: Answer<T>;
  readonly raw: RawResponse;
  readonly validation: ValidationMode;
  readonly publish: Publish;
}

/**
 * decode → validate → result; a promise only where a caller's own schema judges asynchronously, as each
 * one costs every call.
 * @throws {ResponseBodyError} the body is not what was asked for.
 * @throws {ResponseShapeError} the answer does not fit its model.
 */
export function parseResponse<T>(context: ParseContext<T>): T | Promise<T> {
  const { answer, raw } = context;
  switch (answer.kind) {
    case 'none':
      return mapped(context, undefined);
    case 'membership':
      return mapped(context, raw.status !== 404);
    case 'bytes':
    case 'stream':
      return mapped(context, acceptBytes(context));
    default: {
      // 204 and 205 have no body (RFC 9110): nothing to read where nothing was promised either.
      const empty = !answer.schema && (raw.status === 204 || raw.status === 205);
      const absent = empty || (answer.absent === true && raw.status === 404);
      const value = absent ? undefined : readJson(context);
      if (!(value instanceof Promise)) return mapped(context, value);
      return value.then((judged: unknown) => mapped(context, judged));
    }
  }
}

/** A value that nobody has validated may be none that can be mapped. */
function mapped<T>(context: ParseContext<T>, value: unknown): T | Promise<T> {
  const { map } = context.answer;
  // `as`: without a mapping, what the schema has judged is the result.
  if (!map) return value as T;
  try {
    return map(value, context.response, context);
  } catch (error) {
    if (isTriforgeError(error)) throw error;
    throw shapeError(context, [{ message: `it can not be read: ${error}`, path: [] }], value);
  }
}

function acceptBytes<T>(context: ParseContext<T>): Buffer | Readable {
  const { answer, raw } = context;
  const type = mediaTypeOf(headerOf(raw.headers, 'content-type'));
  const refusal = answer.refuses?.(type, context.response);
  if (refusal === undefined) return raw.body;
  if (raw.body instanceof Readable) raw.body.destroy();
  throw bodyError(context, 'unexpected_type', refusal);
}

/** What the body holds, judged; a promise where the judgement is one. */
function readJson<T>(context: ParseContext<T>): unknown {
  const { answer, raw } = context;
  const body = raw.body instanceof Buffer ? raw.body : Buffer.alloc(0);
  const decoded = decodeJson(body, raw.headers);
  if (!decoded.ok) throw bodyError(context, decoded.problem, decoded.detail, decoded.cause);
  raw.release?.();
  if (answer.outcome) context.response.outcome = answer.outcome(decoded.value);
  const failure = answer.failure?.(decoded.value);
  if (failure) throw operationError(context, failure.statusMessage, decoded.value);
  const value = answer.unwrap ? answer.unwrap(decoded.value) : decoded.value;
  const { schema } = answer;
  // What fits a model is of the kind that was asked for.
  const validation = answer.isStrict ? 'strict' : context.validation;
  if (validation !== 'off' && isModel(schema) && fits(schema, value)) return value;
  const mismatch = answer.mismatch?.(value);
  if (mismatch !== undefined) {
    throw shapeError(context, [{ message: mismatch, path: [] }], decoded.value);
  }
  if (!schema) return value;
  const tolerant = answer.unspecified === true && validation === 'strict';
  const verdict = validate(schema, value, tolerant ? 'warn' : validation);
  if (!(verdict instanceof Promise)) return accepted(context, verdict, decoded.value);
  return verdict.then((each) => accepted(context, each, decoded.value));
}

/** The value of a verdict. @param data the whole body, for the error. */
function accepted<T>(context: ParseContext<T>, verdict: Verdict, data: unknown): unknown {
  if (!verdict.ok) throw shapeError(context, verdict.issues, data);
  const { drift } = verdict;
  if (drift) {
    const model = nameOf(context.answer.schema);
    context.publish('triforge:shape-drift', () => ({
      request: context.request(),
      model,
      issues: printable(drift, context.secrets),
    }));
  }
  return verdict.value;
}

/** A decoded body, or why it can't be. */
export type Decoded =
  | { readonly ok: true; readonly value: unknown }
  | {
      readonly ok: false;
      readonly problem: ResponseBodyReason;
      readonly detail: string;
      readonly cause?: unknown;
    };

/**
 * JSON by its looks, not by its label: consoles send it as `text/html`. A body that is ASCII is read
 * as latin1, which gives the same text in half the time (measured).
 */
export function decodeJson(body: Buffer, headers: RawHeaders): Decoded {
  const text = textOf(body);
  if (text === undefined) {
    return { ok: false, problem: 'undecodable', detail: 'the body is not valid UTF-8' };
  }
  if (text.trim() === '') {
    return { ok: false, problem: 'empty', detail: 'the body is empty where JSON was expected' };
  }
  try {
    const value: unknown = JSON.parse(text);
    return { ok: true, value };
  } catch (cause) {
    const type = mediaTypeOf(headerOf(headers, 'content-type'));
    const foreign = /^\s*</.test(text);
    return {
      ok: false,
      problem: foreign ? 'unexpected_type' : 'invalid_json',
      detail: foreign
        ? `expected JSON, got ${type === '' ? 'markup' : type}`
        : `the body is not valid JSON (${body.length} bytes)`,
      cause,
    };
  }
}

/** A body as text, without its byte-order mark; undefined where it is not UTF-8. */
export function textOf(body: Buffer): string | undefined {
  if (isAscii(body)) return body.toString('latin1');
  if (!isUtf8(body)) return undefined;
  const marked = body[0] === 0xef && body[1] === 0xbb && body[2] === 0xbf;
  return body.toString('utf8', marked ? 3 : 0);
}

/** An error's body is asked for by those who look for a limit, and by those who make the error. */
const decodedErrors = new WeakMap<Buffer, unknown>();

/** The body of an error answer, as far as it can be read: JSON, else text, never a failure. */
export function decodeErrorBody(body: Buffer, headers: RawHeaders): unknown {
  if (decodedErrors.has(body)) return decodedErrors.get(body);
  const decoded = decodeJson(body, headers);
  const value = decoded.ok ? decoded.value : (textOf(body) ?? body.toString('latin1'));
  decodedErrors.set(body, value);
  return value;
}

/** `strict` (default): an answer that does not fit raises `ResponseShapeError`; `warn`: it is reported by `diagnostics_channel` and returned; `off`: unchecked. */
export type ValidationMode = 'strict' | 'warn' | 'off';

/** A value that fits (or is let pass), or the issues it has. */
export type Verdict =
  | { readonly ok: true; readonly value: unknown; readonly drift?: readonly StandardIssue[] }
  | { readonly ok: false; readonly issues: readonly StandardIssue[] };

/**
 * Holds a value against a schema. A {@link Model} gives the very value back; a caller's own schema
 * gives its output. `warn` lets pass with the drift to be reported.
 */
export function validate(
  schema: StandardSchema,
  value: unknown,
  mode: ValidationMode,
): Verdict | Promise<Verdict> {
  if (mode === 'off') return { ok: true, value };
  if (!isModel(schema)) return validateForeign(schema, value, mode);
  if (fits(schema, value)) return { ok: true, value };
  return judged(issuesOf(schema, value) ?? [], value, mode);
}

async function validateForeign(
  schema: StandardSchema,
  value: unknown,
  mode: ValidationMode,
): Promise<Verdict> {
  const result = await schema['~standard'].validate(value);
  return result.issues ? judged(result.issues, value, mode) : { ok: true, value: result.value };
}

function judged(issues: readonly StandardIssue[], value: unknown, mode: ValidationMode): Verdict {
  return mode === 'warn' ? { ok: true, value, drift: issues } : { ok: false, issues };
}
