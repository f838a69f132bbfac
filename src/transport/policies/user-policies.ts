import { Readable } from 'node:stream';
import { ConfigurationError } from '../../errors/index.js';
import { invalidOption } from '../../option-names.js';
import {
  describeKind,
  describeNonUrl,
  formatGot,
  getMember,
  isReadable,
} from '../../schema/unknown-values.js';
import { isPossiblyExecuted } from '../decisions/retry-decision.js';
import type { HttpResponse } from '../http/raw-response.js';
import { serializeBody } from '../request/body.js';
import type { Method } from '../request/endpoint.js';
import { setImmediate } from '../request/event-loop.js';
import { findNamedSecrets, secretsInHeaders } from '../request/extra-inputs.js';
import { checkHeaders } from '../request/fields.js';
import { createInputError } from '../request/input.js';
import { isDowngrade } from '../request/named-url.js';
import { formatUrl, parseTarget, type RequestSpec } from '../request/request-spec.js';
import { createInterruptedError } from './call-errors.js';
import type { CallContext, Step } from './context.js';
import type { Policy, Send } from './pipeline.js';
import { PolicyStreams } from './policy-streams.js';

/**
 * A request as a policy sees it, without credentials. The client adds credentials later, for
 * trusted origins only.
 */
export interface HttpRequest {
  /** HTTP method. Can't be changed. */
  readonly method: Method;
  /** Absolute URL. May contain secret inputs. */
  readonly url: string;
  /** Headers by lowercase name. Excludes headers that the client adds later, such as `accept`. */
  readonly headers: Readonly<Record<string, string>>;
  /** Body in memory. Undefined if there is no body, or if it is a stream. Can't be changed. */
  readonly body: string | Uint8Array | undefined;
}

/** The call that a request belongs to. Pass it to `next`. */
export interface RequestContext {
  /** Client method, such as `pulls.get`. */
  readonly operation: string;
  /** Attempt number, starting at 1. */
  readonly attempt: number;
}

/** Sends a request. Resolves to a response, or to a failure such as a lost connection. */
export type SendRequest = (request: HttpRequest, context: RequestContext) => Promise<HttpResponse>;

/**
 * A step that all of a client's requests pass through, including repeated requests. Called once per
 * client with a function that sends a request. Returns a function that the client calls instead.
 * @example const policy: RequestPolicy = (next) => (request, context) => next(request, context);
 */
export type RequestPolicy = (next: SendRequest) => SendRequest;

/** A {@link RequestContext} that hides data that policies must not see. */
class HiddenContext implements RequestContext {
  readonly operation: string;
  readonly attempt: number;
  readonly #request: RequestSpec;
  readonly #view: HttpRequest;
  readonly #context: CallContext;
  /**
   * The attempt's last request before this policy ran. Excludes redirects that an earlier call to
   * `next` followed.
   */
  readonly #step: Step | undefined;

  constructor(request: RequestSpec, view: HttpRequest, context: CallContext) {
    this.operation = request.operation;
    this.attempt = context.attempt;
    this.#request = request;
    this.#view = view;
    this.#context = context;
    this.#step = context.step;
  }

  /** Private, because a policy may freeze the context. */
  #hasActed = false;
  readonly #streams = new PolicyStreams();

  /** Whether the server may have executed one of the policy's requests. */
  get hasActed(): boolean {
    return this.#hasActed;
  }

  get streams(): PolicyStreams {
    return this.#streams;
  }

  /**
   * Sends a request with a policy's changes.
   * @throws {InvalidRequestError} if a change isn't allowed.
   */
  async send(changed: HttpRequest, next: Send): Promise<HttpResponse> {
    const response = await next(...this.#resume(changed));
    this.#streams.add(response);
    const isDone = !response.failed && response.status < 400;
    this.#hasActed ||= isDone || isPossiblyExecuted(response);
    return response;
  }

  #resume(changed: HttpRequest): readonly [RequestSpec, CallContext] {
    const view = this.#view;
    for (const name of ['method', 'body'] as const) {
      if (changed[name] === view[name]) continue;
      throw createInputError(
        `policies.${name}`,
        'must not be changed by a policy. A policy can change only url and headers.',
      );
    }
    let request = this.#request;
    if (changed.headers !== view.headers) {
      const headers = checkHeaders(changed.headers);
      request = { ...this.#maskRequest(request, secretsInHeaders(headers)), headers };
    }
    if (changed.url !== view.url) {
      const url = checkUrl(changed.url, request);
      request = {
        ...this.#maskRequest(request, findNamedSecrets(url.searchParams)),
        target: parseTarget(url),
      };
    }
    this.#context.step = this.#step;
    return [request, this.#context];
  }

  #maskRequest(request: RequestSpec, secrets: readonly string[]): RequestSpec {
    this.#context.mask(secrets);
    return { ...request, secrets: [...request.secrets, ...secrets] };
  }
}

/**
 * @throws {InvalidRequestError} if the URL isn't http or https, or downgrades from https to http.
 */
function checkUrl(text: string, { target }: RequestSpec): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol !== 'https:' && url?.protocol !== 'http:') {
    throw createInputError(
      'policies.url',
      `must be an absolute http or https URL (got ${describeNonUrl(text)})`,
    );
  }
  if (isDowngrade(url.origin, target.origin)) {
    throw createInputError('policies.url', 'must not change from https to http');
  }
  return url;
}

/**
 * Converts the policies in the client's options to pipeline steps.
 * @throws {ConfigurationError} if `policies` isn't an array of functions.
 */
export function createUserPolicies(policies: readonly RequestPolicy[] = []): Policy[] {
  if (isReadable(policies) && Array.isArray(policies)) return policies.map(createUserPolicy);
  throw invalidOption('policies', `must be an array of functions (got ${describeKind(policies)})`);
}

function createUserPolicy(policy: RequestPolicy, index: number): Policy {
  const option = `policies[${index}]`;
  if (typeof policy !== 'function') throw createPolicyError(option, 'must be a function', policy);
  return (next) => {
    const send = policy(async (request, context) => {
      if (!(context instanceof HiddenContext)) {
        throw createPolicyError(option, 'must pass its second argument to next', context);
      }
      return await context.send(request, next);
    });
    if (typeof send !== 'function') throw createPolicyError(option, 'must return a function', send);
    return async function runUserPolicy(request, context) {
      const view: HttpRequest = {
        method: request.method,
        url: formatUrl(request.target),
        headers: joinHeaders(request),
        body: request.body && serializeBody(request.body),
      };
      const hidden = new HiddenContext(request, view, context);
      try {
        const response = await waitUnlessStopped(send(view, hidden), context);
        // A policy may return a response even if the call was stopped.
        if (context.deadline.interruption && !response?.failed)
          throw createStoppedError(context, hidden);
        if (!response || !isResponse(response)) {
          throw createPolicyError(
            option,
            'must return a response, such as the result of next()',
            response,
          );
        }
        return withOwnBody(response, hidden.streams, context.call.responseSpec.kind, option);
      } catch (error) {
        hidden.streams.destroy();
        throw context.deadline.interruption ? createStoppedError(context, hidden) : error;
      }
    };
  };
}

function createStoppedError(context: CallContext, { hasActed }: HiddenContext): unknown {
  context.mayHaveActed ||= hasActed;
  return createInterruptedError(context);
}

/**
 * Returns a policy's response with the type of body that the call reads: a stream if the method
 * returns a stream and the status is 2xx, otherwise a Buffer.
 * @throws {ConfigurationError} if the body is a stream but the call reads a Buffer.
 */
function withOwnBody(
  response: HttpResponse,
  streams: PolicyStreams,
  kind: string,
  option: string,
): HttpResponse {
  if (!response.failed && kind === 'stream' && response.status >= 200 && response.status < 300) {
    const body = streams.select(response.body);
    return body === response.body ? response : { ...response, body };
  }
  if (!response.failed && response.body instanceof Readable) {
    throw createPolicyError(
      option,
      'must return the body as a Buffer unless the method returns a stream and the status is 2xx',
      response.body,
    );
  }
  streams.destroy();
  return response;
}

/** Returns headers by name. Joins the values of a header that the caller set more than once. */
function joinHeaders({ headers }: RequestSpec): Record<string, string> {
  const byName = new Map<string, string>();
  for (const [name, value] of headers) {
    const earlier = byName.get(name);
    byName.set(name, earlier === undefined ? value : `${earlier}, ${value}`);
  }
  return Object.fromEntries(byName);
}

/**
 * Waits for a policy, whose promise may never settle. After the call is stopped, the policy has one
 * turn of the event loop to return the request's outcome.
 * @returns undefined if the call was stopped.
 */
async function waitUnlessStopped<T>(
  pending: Promise<T>,
  { deadline }: CallContext,
): Promise<T | undefined> {
  let stop = () => {};
  try {
    return await new Promise<T | undefined>((resolve, reject) => {
      stop = () => void setImmediate(() => resolve(undefined));
      deadline.stopped ??= new Set();
      deadline.stopped.add(stop);
      if (deadline.interruption) stop();
      // A policy may return a value instead of a promise.
      Promise.resolve(pending).then(resolve, reject);
    });
  } finally {
    deadline.stopped?.delete(stop);
  }
}

function createPolicyError(option: string, rule: string, got: unknown): ConfigurationError {
  return new ConfigurationError(`${option}: ${rule}${formatGot(got, 'object')}`, {
    option: 'policies',
  });
}

function isResponse(value: unknown): boolean {
  const isFailed = getMember(value, 'failed');
  if (isFailed === true) return getMember(value, 'kind') !== undefined;
  const body = getMember(value, 'body');
  return (
    isFailed === false &&
    Number.isInteger(getMember(value, 'status')) &&
    typeof getMember(value, 'headers') === 'object' &&
    (body instanceof Buffer || body instanceof Readable)
  );
}
