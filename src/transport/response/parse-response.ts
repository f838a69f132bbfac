import { Readable } from 'node:stream';
import {
  type BodyProblem,
  isTriforgeError,
  OperationFailedError,
  ResponseBodyError,
  ResponseShapeError,
} from '../../errors/index.js';
import type { StandardSchema } from '../../schema/standard-schema.js';
import { mediaTypeOf } from '../http/media-type.js';
import { headerOf, type RawResponse } from '../http/raw-response.js';
import { showText } from '../http/redact.js';
import { publish } from '../request/diagnostics.js';
import type { Answer, AnsweredCall } from '../request/endpoint.js';
import type { AnswerInfo } from './answer-info.js';
import { scrubbed } from './classify.js';
import { decodeJson } from './decode.js';
import { printable, showIssues, type ValidationMode, type Verdict, validate } from './validate.js';

/** What the end of a successful call is made from. */
export interface ParseContext<T> extends AnsweredCall {
  readonly answer: Answer<T>;
  readonly raw: RawResponse;
  readonly response: AnswerInfo;
  readonly validation: ValidationMode;
  /** GET and HEAD: nothing needs to be said of what was executed. */
  readonly reads: boolean;
}

/**
 * decode → validate → result; a promise only where a caller's own schema judges asynchronously, as each
 * one costs every call.
 * @throws {ResponseBodyError} the body is not what was asked for.
 * @throws {ResponseShapeError} the answer does not fit its model.
 */
export function parseResponse<T>(context: ParseContext<T>): T | Promise<T> {
  const { answer, raw, response } = context;
  switch (answer.kind) {
    case 'none':
      return answer.map(undefined, response, context);
    case 'membership':
      return answer.map(raw.status !== 404, response, context);
    case 'bytes':
    case 'stream':
      return answer.map(acceptBytes(context), response, context);
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
  try {
    return context.answer.map(value, context.response, context);
  } catch (error) {
    if (isTriforgeError(error)) throw error;
    throw shapeError(context, [{ message: `it can not be read: ${error}`, path: [] }], value);
  }
}

function acceptBytes<T>(context: ParseContext<T>): Buffer | Readable {
  const { answer, raw } = context;
  const type = mediaTypeOf(headerOf(raw.headers, 'content-type')).type;
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
  const mismatch = answer.mismatch?.(value);
  if (mismatch !== undefined) {
    throw shapeError(context, [{ message: mismatch, path: [] }], decoded.value);
  }
  if (!answer.schema) return value;
  const verdict = validate(answer.schema, value, context.validation);
  if (!(verdict instanceof Promise)) return accepted(context, verdict, decoded.value);
  return verdict.then((each) => accepted(context, each, decoded.value));
}

/** The value of a verdict. @param data the whole body, for the error. */
function accepted<T>(context: ParseContext<T>, verdict: Verdict, data: unknown): unknown {
  if (!verdict.ok) throw shapeError(context, verdict.issues, data);
  const { drift } = verdict;
  if (drift) {
    const model = nameOf(context.answer.schema);
    publish('triforge:shape-drift', () => ({
      request: context.request(),
      model,
      issues: drift,
    }));
  }
  return verdict.value;
}

function bodyError<T>(
  context: ParseContext<T>,
  problem: BodyProblem,
  detail: string,
  cause?: unknown,
): ResponseBodyError {
  const { response } = context;
  const request = context.request();
  return new ResponseBodyError(
    `${request.operation}: ${response.status}, but ${showText(detail, context.secrets)}${executed(context)} [${request.method} ${request.url}]`,
    request,
    problem,
    response.status,
    // A SyntaxError of JSON.parse quotes the body, which may hold a secret: only its name is kept.
    { response, ...(cause === undefined ? {} : { cause: new Error('invalid JSON') }) },
  );
}

function operationError<T>(
  context: ParseContext<T>,
  statusMessage: string | undefined,
  body: unknown,
): OperationFailedError {
  const { response, secrets } = context;
  const request = context.request();
  const said = statusMessage === undefined ? undefined : showText(statusMessage, secrets);
  return new OperationFailedError(
    `${request.operation}: the server refused: ${said ?? 'it gives no reason'} [${request.method} ${request.url}]`,
    said,
    request,
    { response, body: () => scrubbed(body, secrets) },
  );
}

function shapeError<T>(
  context: ParseContext<T>,
  found: ResponseShapeError['issues'],
  data: unknown,
): ResponseShapeError {
  const { response, answer } = context;
  const issues = printable(found, context.secrets);
  const request = context.request();
  const model = nameOf(answer.schema);
  return new ResponseShapeError(
    `${request.operation}: the answer does not fit ${model}: ${showIssues(issues)}${executed(context)} [${request.method} ${request.url}]`,
    request,
    issues,
    { data, response },
  );
}

function executed<T>(context: ParseContext<T>): string {
  return context.reads ? '' : '; the request itself was executed';
}

function nameOf(schema: StandardSchema | undefined): string {
  return typeof schema === 'object' && 'name' in schema ? String(schema.name) : 'its schema';
}
