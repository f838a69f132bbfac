import { Readable } from 'node:stream';
import {
  type BodyProblem,
  OperationFailedError,
  ResponseBodyError,
  ResponseShapeError,
} from '../errors.js';
import type { RequestInfo, ResponseInfo } from '../response-info.js';
import type { StandardSchema } from '../standard-schema.js';
import { scrubbed } from './classify.js';
import { decodeJson } from './decode.js';
import { publish } from './diagnostics.js';
import type { Answer } from './endpoint.js';
import { mediaTypeOf } from './media-type.js';
import type { ValidationMode } from './options.js';
import { headerOf, type RawResponse } from './raw-response.js';
import { showText } from './redact.js';
import { showIssues, type Verdict, validate } from './validate.js';

/** What the end of a successful call is made from. */
export interface Conclusion<T> {
  readonly answer: Answer<T>;
  readonly raw: RawResponse;
  readonly response: ResponseInfo;
  /** Made when an error or an event needs it. */
  readonly request: () => RequestInfo;
  readonly validation: ValidationMode;
  /** GET and HEAD: nothing needs to be said of what was executed. */
  readonly reads: boolean;
  /** Values that must not show, though the server may echo them. */
  readonly secrets: readonly string[];
}

/**
 * decode → validate → result; a promise only where a caller's own schema judges asynchronously, as each
 * one costs every call.
 * @throws {ResponseBodyError} the body is not what was asked for.
 * @throws {ResponseShapeError} the answer does not fit its model.
 */
export function conclude<T>(conclusion: Conclusion<T>): T | Promise<T> {
  const { answer, raw, response } = conclusion;
  switch (answer.kind) {
    case 'none':
      return answer.map(undefined, response);
    case 'membership':
      return answer.map(raw.status !== 404, response);
    case 'bytes':
    case 'stream':
      return answer.map(acceptBytes(conclusion), response);
    default: {
      const absent = answer.absent === true && raw.status === 404;
      const value = absent ? undefined : readJson(conclusion);
      if (!(value instanceof Promise)) return answer.map(value, response);
      return value.then((judged: unknown) => answer.map(judged, response));
    }
  }
}

function acceptBytes<T>(conclusion: Conclusion<T>): Buffer | Readable {
  const { answer, raw } = conclusion;
  const type = mediaTypeOf(headerOf(raw.headers, 'content-type')).type;
  const refusal = answer.refuses?.(type);
  if (refusal === undefined) return raw.body;
  if (raw.body instanceof Readable) raw.body.destroy();
  throw bodyError(conclusion, 'unexpected_type', refusal);
}

/** What the body holds, judged; a promise where the judgement is one. */
function readJson<T>(conclusion: Conclusion<T>): unknown {
  const { answer, raw } = conclusion;
  const body = raw.body instanceof Buffer ? raw.body : Buffer.alloc(0);
  const decoded = decodeJson(body, raw.headers);
  if (!decoded.ok) throw bodyError(conclusion, decoded.problem, decoded.detail, decoded.cause);
  raw.release?.();
  const failure = answer.failure?.(decoded.value);
  if (failure) throw operationError(conclusion, failure.statusMessage, decoded.value);
  const value = answer.unwrap ? answer.unwrap(decoded.value) : decoded.value;
  const mismatch = answer.mismatch?.(value);
  if (mismatch !== undefined) {
    throw shapeError(conclusion, [{ message: mismatch, path: [] }], decoded.value);
  }
  if (!answer.schema) return value;
  const verdict = validate(answer.schema, value, conclusion.validation);
  if (!(verdict instanceof Promise)) return accepted(conclusion, verdict, decoded.value);
  return verdict.then((each) => accepted(conclusion, each, decoded.value));
}

/** The value of a verdict. @param data the whole body, for the error. */
function accepted<T>(conclusion: Conclusion<T>, verdict: Verdict, data: unknown): unknown {
  if (!verdict.ok) throw shapeError(conclusion, verdict.issues, data);
  const { drift } = verdict;
  if (drift) {
    const model = nameOf(conclusion.answer.schema);
    publish('triforge:shape-drift', () => ({
      request: conclusion.request(),
      model,
      issues: drift,
    }));
  }
  return verdict.value;
}

function bodyError<T>(
  conclusion: Conclusion<T>,
  problem: BodyProblem,
  detail: string,
  cause?: unknown,
): ResponseBodyError {
  const { response } = conclusion;
  const request = conclusion.request();
  return new ResponseBodyError(
    `${request.operation}: ${response.status}, but ${detail}${executed(conclusion)} [${request.method} ${request.url}]`,
    request,
    problem,
    response.status,
    // A SyntaxError of JSON.parse quotes the body, which may hold a secret: only its name is kept.
    { response, ...(cause === undefined ? {} : { cause: new Error('invalid JSON') }) },
  );
}

function operationError<T>(
  conclusion: Conclusion<T>,
  statusMessage: string | undefined,
  body: unknown,
): OperationFailedError {
  const { response, secrets } = conclusion;
  const request = conclusion.request();
  const said = statusMessage === undefined ? undefined : showText(statusMessage, secrets);
  return new OperationFailedError(
    `${request.operation}: the server refused: ${said ?? 'it gives no reason'} [${request.method} ${request.url}]`,
    said,
    request,
    { response, body: scrubbed(body, secrets) },
  );
}

function shapeError<T>(
  conclusion: Conclusion<T>,
  issues: ResponseShapeError['issues'],
  data: unknown,
): ResponseShapeError {
  const { response, answer } = conclusion;
  const request = conclusion.request();
  const model = nameOf(answer.schema);
  return new ResponseShapeError(
    `${request.operation}: the answer does not fit ${model}: ${showIssues(issues)}${executed(conclusion)} [${request.method} ${request.url}]`,
    request,
    issues,
    { data, response },
  );
}

function executed<T>(conclusion: Conclusion<T>): string {
  return conclusion.reads ? '' : '; the request itself was executed';
}

function nameOf(schema: StandardSchema | undefined): string {
  return typeof schema === 'object' && 'name' in schema ? String(schema.name) : 'its schema';
}
