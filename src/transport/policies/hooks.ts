import { Readable } from 'node:stream';
import { HookError } from '../../errors/index.js';
import { maskSecrets } from '../../masks/secrets.js';
import { checkFunction, checkOptions, optionNames } from '../../option-names.js';
import type { RequestInfo } from '../../response-info.js';
import { errorMessage } from '../../schema/unknown-values.js';
import { isPossiblyExecuted } from '../decisions/retry-decision.js';
import { getHeader, type RawHeaders } from '../http/headers.js';
import type { RawResponse } from '../http/raw-response.js';
import { checkHeaders, type Fields, mergeHeaders, secretsInHeaders } from '../request/fields.js';
import { isReadOnly } from '../request/request-spec.js';
import { formatMessage } from '../response/failure.js';
import { createInterruptedError } from './call-errors.js';
import type { CallContext, Send } from './context.js';

/** A request as hooks see it, without credentials or body. */
export interface HookRequest extends RequestInfo {
  /** Attempt number, starting at 1. */
  readonly attempt: number;
  /** Headers that `beforeRequest` added, by lowercase name. Empty in `beforeRequest`. */
  readonly headers: Readonly<Record<string, string>>;
}

/** A response as hooks see it, without the body. */
export interface HookResponse {
  /** HTTP status code. */
  readonly status: number;
  /**
   * Headers by lowercase name. Repeated headers are joined with `, `. Secrets are masked. Headers
   * that may contain other credentials, such as cookies or signed URLs, are masked completely.
   */
  readonly headers: Readonly<Record<string, string | undefined>>;
}

/**
 * Functions that the client calls for each request that it sends, including retries and redirects.
 * Hooks aren't called for sign-ins. If a hook throws, the call fails with a `HookError` and isn't
 * retried.
 */
export interface RequestHooks {
  /**
   * Called before a request. Returns headers to add, or a promise for them. The headers replace the
   * call's headers of the same name. Untrusted origins get only a few of the headers, such as
   * `Accept`. Default: none.
   * @example beforeRequest: () => ({ traceparent: currentTraceparent() })
   */
  readonly beforeRequest?:
    | ((request: HookRequest) => HookHeaders | Promise<HookHeaders>)
    | undefined;
  /**
   * Called with the status and headers of each complete response. If the method returns a stream,
   * the hook is called before the body is read. The client waits for the returned promise. Default: none.
   * @example afterResponse: ({ operation }, { status }) => console.log(operation, status)
   */
  readonly afterResponse?:
    | ((request: HookRequest, response: HookResponse) => void | Promise<void>)
    | undefined;
}

/** Headers that `beforeRequest` adds. */
export type HookHeaders = Fields<string> | undefined;

const names = optionNames<RequestHooks>()('beforeRequest afterResponse');

/** @throws {ConfigurationError} if `hooks` is not an object of functions. */
export function checkHooks(hooks: RequestHooks): RequestHooks {
  checkOptions(hooks, names, 'hooks');
  for (const name of ['beforeRequest', 'afterResponse'] as const) {
    const hook = hooks[name];
    if (hook !== undefined) checkFunction(`hooks.${name}`, hook);
  }
  return hooks;
}

/** Calls the hooks around each request that `send` sends. */
export function callHooks({ beforeRequest, afterResponse }: RequestHooks, send: Send): Send {
  return async (request, context) => {
    if (request.isHidden) return send(request, context);
    const { attempt } = context;
    const seen = { ...context.describe(attempt.target), attempt: attempt.number, headers: {} };
    let sent = request;
    let own: HookRequest = seen;
    if (beforeRequest) {
      const added = await runHook('beforeRequest', context, false, async () =>
        checkHeaders((await beforeRequest(seen)) ?? {}),
      );
      context.mask(secretsInHeaders(added));
      own = { ...seen, headers: Object.fromEntries(added) };
      sent = { ...request, headers: mergeHeaders(request.headers, added) };
    }
    const response = await send(sent, context);
    if (response.failed || !afterResponse) return response;
    attempt.received = response;
    const view = {
      status: response.status,
      headers: maskHeaders(response.headers, context.secrets),
    };
    try {
      await runHook('afterResponse', context, hasActed(response), async () =>
        afterResponse(own, view),
      );
    } catch (error) {
      if (response.body instanceof Readable) response.body.destroy();
      throw error;
    }
    return response;
  };
}

/**
 * Runs a hook, whose promise may never settle.
 * @param acted whether the server may have executed the request.
 */
async function runHook<T>(
  name: keyof RequestHooks,
  context: CallContext,
  acted: boolean,
  run: () => Promise<T>,
): Promise<T> {
  const mayHaveActed = context.mayHaveActed || acted || context.attempt.executed;
  let result: T | undefined;
  try {
    result = await context.deadline.waitFor(run());
  } catch (cause) {
    context.mayHaveActed = mayHaveActed;
    const request = context.describe();
    throw new HookError(formatMessage(request, `hooks.${name} failed: ${errorMessage(cause)}`), {
      cause,
      request,
      mayHaveActed: mayHaveActed && !isReadOnly(context.request),
    });
  }
  if (context.deadline.interruption) {
    context.mayHaveActed = mayHaveActed;
    throw createInterruptedError(context);
  }
  // `as`: without an interruption, the hook has returned.
  return result as T;
}

/**
 * Returns whether the server may have executed the request. Of the redirects, only a 303 counts,
 * because the others only name another URL.
 */
function hasActed(response: RawResponse): boolean {
  const { status } = response;
  return (status >= 200 && status < 300) || status === 303 || isPossiblyExecuted(response);
}

/** Response headers whose values may be credentials that the client doesn't know. */
const secretHeader = /cookie|location|^link$|authenticat|authoriz|token|secret/;

/** Matches a URL with a query, which may be signed. */
const urlWithQuery = /[/.][^\s?]*\?\S*=/;

function maskHeaders(headers: RawHeaders, secrets: readonly string[]): HookResponse['headers'] {
  const mask = (name: string) => {
    const value = getHeader(headers, name) ?? '';
    const isSecret = secretHeader.test(name) || urlWithQuery.test(value);
    return [name, isSecret ? '***' : maskSecrets(value, secrets)] as const;
  };
  return Object.fromEntries(Object.keys(headers).map(mask));
}
