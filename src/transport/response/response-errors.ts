import {
  OperationFailedError,
  ResponseBodyError,
  type ResponseBodyReason,
  ResponseShapeError,
} from '../../errors/index.js';
import {
  maxIssues,
  type StandardIssue,
  type StandardSchema,
} from '../../schema/standard-schema.js';
import { isForgottenVendor } from '../http/media-type.js';
import { maskBody, showText } from '../http/redact.js';
import type { CallDetails, ResponseSpec } from '../request/endpoint.js';
import { executedNote, formatMessage, maskCause } from './failure.js';
import type { ResponseDetails } from './response-details.js';

export interface ResponseErrorContext {
  readonly call: CallDetails & { readonly response: ResponseDetails };
  readonly responseSpec: Pick<ResponseSpec<unknown>, 'schema'>;
  /** Whether the request is read-only. If so, messages don't mention that it was executed. */
  readonly reads: boolean;
}

/** Creates the error for an unreadable or unexpected body. */
export function createBodyError(
  context: ResponseErrorContext,
  problem: ResponseBodyReason,
  detail: string,
  cause?: unknown,
): ResponseBodyError {
  const { response, secrets } = context.call;
  const request = context.call.describe();
  const why = `the response has status ${response.status}, but ${showText(detail, secrets)}`;
  return new ResponseBodyError(formatMessage(request, why, noteExecution(context)), {
    request,
    reason: problem,
    status: response.status,
    response,
    mayHaveActed: true,
    ...(cause === undefined ? {} : { cause: new Error('invalid JSON') }),
  });
}

/** Creates the error for a 2xx response that reports a failure. */
export function createOperationError(
  context: ResponseErrorContext,
  statusMessage: string | undefined,
  body: unknown,
): OperationFailedError {
  const { response, secrets } = context.call;
  const request = context.call.describe();
  const said = statusMessage === undefined ? undefined : showText(statusMessage, secrets);
  const why = `the server rejected the operation: ${said ?? 'the response contains no reason'}`;
  return new OperationFailedError(formatMessage(request, why), {
    statusMessage: said,
    request,
    response,
    body: () => maskBody(body, secrets),
  });
}

/** Creates the error for a response that doesn't match its model. */
export function createShapeError(
  context: ResponseErrorContext,
  found: ResponseShapeError['issues'],
  data: unknown,
  cause?: unknown,
): ResponseShapeError {
  const { response, secrets } = context.call;
  const issues = maskIssues(found, secrets);
  const request = context.call.describe();
  const model = describeSchema(context.responseSpec.schema);
  const why = `the response does not match ${model}: ${showIssues(issues)}`;
  const { accept } = context.call;
  // Servers ignore a vendor that they don't know. The response then has the default shape.
  const isDefault = /\.(?:v3|beta)\+json|\/vnd\.\w+\+json/.test(accept);
  const isVendor = !isDefault && isForgottenVendor(accept, response.headers);
  const advice = isVendor ? "GitHub Enterprise needs vendor: 'github'." : undefined;
  return new ResponseShapeError(formatMessage(request, why, noteExecution(context), advice), {
    request,
    issues,
    data,
    response,
    ...(cause !== undefined && { cause: maskCause(cause, secrets) }),
  });
}

function noteExecution(context: ResponseErrorContext): string | undefined {
  return context.reads ? undefined : executedNote;
}

export function describeSchema(schema: StandardSchema | undefined): string {
  return typeof schema === 'object' && 'name' in schema ? String(schema.name) : 'its schema';
}

/** Maximum number of segments in an issue's path. */
const maxSegments = 20;

/** Masks secrets in issues, because issues may contain text and names from the server. */
export function maskIssues(
  issues: readonly StandardIssue[],
  secrets: readonly string[],
): StandardIssue[] {
  const shown = (key: PropertyKey) => (typeof key === 'string' ? showText(key, secrets, 100) : key);
  return issues.slice(0, maxIssues).map(({ message, path = [] }) => ({
    message: showText(message, secrets),
    path: path
      .slice(0, maxSegments)
      .map((part) => (typeof part === 'object' ? { key: shown(part.key) } : shown(part))),
  }));
}

/** Formats the first issues as one line, each with its path. */
export function showIssues(issues: readonly StandardIssue[]): string {
  const shown = issues.slice(0, 5).map((issue) => `${showPath(issue.path)}: ${issue.message}`);
  const more = issues.length > shown.length ? ` (+${issues.length - shown.length} more)` : '';
  return shown.join('; ') + more;
}

function showPath(path: StandardIssue['path']): string {
  if (!path || path.length === 0) return '(the response)';
  return path
    .map((part) => (typeof part === 'object' ? part.key : part))
    .map((key, index) =>
      typeof key === 'number' ? `[${key}]` : `${index === 0 ? '' : '.'}${String(key)}`,
    )
    .join('');
}
