import type { ResponseInfo } from '../response-info.js';
import { isStandardSchema, type StandardSchema } from '../schema/standard-schema.js';
import { describeKind } from '../schema/unknown-values.js';
import { Deadline } from './dispatch/deadline.js';
import { ResponseStream } from './dispatch/response-stream.js';
import type { RawResponse } from './http/raw-response.js';
import {
  createCallFailureError,
  createInterruptedError,
  createRejectedError,
  waitUnlessInterrupted,
} from './policies/call-errors.js';
import { CallContext, type PreparedCall } from './policies/context.js';
import type { ResponseSpec } from './request/endpoint.js';
import { createInputError, nameOperation } from './request/input.js';
import { parseResponse } from './response/parse-response.js';
import type { CallResult, ResponseDetails, WithResponse } from './response/response-details.js';
import type { Transport } from './transport.js';

/**
 * Native promise that every method except list methods returns. The call starts immediately, even
 * if you don't await it.
 */
export interface Call<T> extends Promise<T> {
  /** Resolves to the result together with the response's status, headers, rate limit and scopes. */
  withResponse(): Promise<WithResponse<T>>;
}

/** A {@link Call} whose response is JSON. `Missing` is the result of a 404 that isn't an error. */
export interface JsonCall<T, Missing = never> extends Call<T> {
  /**
   * Validates the response with your schema instead of the method's model. Accepts any Standard
   * Schema (zod, valibot, arktype…) or a triforge model. The result is the schema's output. Call
   * `as` before any `await`, and await the promise that it returns. The original promise then
   * rejects.
   * @throws {InvalidRequestError} (rejects) if `schema` isn't a schema, or the response is already
   * decoded. The promise rejects immediately, but the request is sent anyway.
   * @throws {ResponseShapeError} (rejects) if the response doesn't match `schema`, regardless of
   * `validation`.
   * @example await hosting.pulls.get({ owner, repo, number: 1 }).as(z.object({ title: z.string()
   * }));
   */
  as<Output>(schema: StandardSchema<Output>): JsonCall<Output | Missing, Missing>;
}

/**
 * A call's result. The response details are created on first access, because most calls don't use
 * them.
 */
class PerformedCall<T> implements CallResult<T> {
  readonly data: T;
  readonly #context: CallContext;

  constructor(data: T, context: CallContext) {
    this.data = data;
    this.#context = context;
  }

  get response(): ResponseDetails {
    return this.#context.response;
  }
}

/** Sends a call through the client's policies and decodes the response. */
export async function perform<T>(
  { inFlight, send, settings }: Transport,
  call: PreparedCall<T>,
): Promise<CallResult<T>> {
  const { total, totalIncludesLimits } = call.timeouts;
  const deadline = new Deadline(call.signals, total, totalIncludesLimits);
  const context = new CallContext(call, settings, deadline);
  inFlight.addCall(deadline, call.spec.isPart === true);
  try {
    if (call.spec.read) await waitUnlessInterrupted(context, context.readFiles());
    const raw = await send(context.request, context);
    if (raw.failed) throw createCallFailureError(context, raw);
    call.isDecoded = true;
    context.head = { status: raw.status, statusText: raw.statusText, headers: raw.headers };
    checkStatus(call.responseSpec, context, raw);
    if (raw.body instanceof ResponseStream) raw.body.handOut(call.signals, inFlight);
    const sent = call.onHeaders?.(context.response);
    if (sent) await sent;
    const data = parseResponse({
      responseSpec: call.responseSpec,
      raw,
      call: context,
      validation: call.validation,
      publish: settings.publish,
      reads: call.spec.retry === 'safe',
    });
    // Only a caller's schema can be asynchronous.
    const settled = data instanceof Promise ? await waitUnlessInterrupted(context, data) : data;
    if (context.settled) context.settle(true);
    return new PerformedCall(settled, context);
  } catch (error) {
    throw nameOperation(error, context.operation);
  } finally {
    if (context.settled) context.settle(false);
    inFlight.removeCall(deadline);
  }
}

/** @throws {ApiError} if the response's status isn't 2xx. A 404 may be an expected result. */
function checkStatus(
  responseSpec: ResponseSpec<unknown>,
  context: CallContext,
  raw: RawResponse,
): void {
  const { status } = raw;
  if (status >= 400 && context.deadline.interruption) throw createInterruptedError(context);
  const isMissing =
    status === 404 && (responseSpec.kind === 'exists' || responseSpec.nullOn404 === true);
  if ((status < 200 || status > 299) && !isMissing) throw createRejectedError(context, raw);
  // The server has executed the call, so later errors must report `mayHaveActed`.
  context.mayHaveActed = true;
}

/**
 * Adds a call's methods to the promise for a running request. A subclass of Promise would lose the
 * caller's line in stack traces. An unhandled failure causes only one unhandled rejection.
 * @param call call whose model `as` replaces. Undefined if there is no model.
 */
export function createCall<T>(
  running: Promise<WithResponse<T>>,
  call?: PreparedCall<unknown>,
): JsonCall<T> {
  const responseSpec = call?.responseSpec;
  const data = running.then((settled) => {
    if (call?.responseSpec !== responseSpec) {
      const why = "this call's schema was replaced. Await the promise that as() returned.";
      throw createInputError('as', why);
    }
    return settled.data;
  });
  return Object.assign(data, {
    async withResponse(): Promise<WithResponse<T>> {
      const result = await data;
      const { response } = await running;
      return { data: result, response };
    },
    as<Output>(schema: StandardSchema<Output>): JsonCall<Output> {
      // The caller handles the promise that `as` returns, so ignore this rejection.
      data.catch(() => undefined);
      let validated = running;
      try {
        if (call?.isDecoded) {
          throw createInputError(
            'as',
            "must be called before the response is decoded. Call as() on the method's result, before any await.",
          );
        }
        if (call) call.responseSpec = withSchema(call.responseSpec, schema);
      } catch (error) {
        validated = Promise.reject(error);
      }
      // `as`: the schema validates the response.
      return createCall(
        validated as Promise<WithResponse<unknown>> as Promise<WithResponse<Output>>,
        call,
      );
    },
  });
}

/**
 * Replaces an endpoint's model with the caller's schema.
 * @param whole wraps the caller's schema, for example if the schema validates one item of a list.
 * Default: no wrapping.
 * @throws {InvalidRequestError} if `schema` isn't a schema, or the response isn't JSON.
 */
export function withSchema<T>(
  responseSpec: ResponseSpec<T>,
  schema: StandardSchema,
  whole: (schema: StandardSchema) => StandardSchema = (each) => each,
): ResponseSpec<T> {
  if (!isStandardSchema(schema)) {
    throw createInputError(
      'as',
      `must be a Standard Schema, such as zod's z.object({ … }) (got ${describeKind(schema)})`,
    );
  }
  if (responseSpec.kind !== 'json') {
    throw createInputError('as', 'must not be called on a method whose response is not JSON');
  }
  const own = { schema: whole(schema), map: validateOutput, isStrict: true, unspecified: false };
  // `as`: the result has the type of the schema's output.
  return { ...responseSpec, ...own } as ResponseSpec<T>;
}

/** Returns the schema's output, or null for a 404 that isn't an error. */
function validateOutput(value: unknown, response: ResponseInfo): unknown {
  return response.status === 404 ? null : value;
}
