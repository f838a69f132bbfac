/**
 * Bridges between msw and the emulator, and between msw and triforge's clients. Requires
 * [msw](https://mswjs.io), version 2.10 or later, or any 3.x.
 * @packageDocumentation
 */
import { getResponse, http, type RequestHandler } from 'msw';
import type { Dispatcher } from 'undici';
import { dispatcherOver } from '../dispatcher.js';
import type { Handler } from '../node-server.js';
import { findWireFault, readPieces } from '../wire-faults.js';

/** Options for {@link dispatcherFromMsw}. */
export interface MswBridgeOptions {
  /**
   * Responds to requests that no handler matches. `(request) => fetch(request)` passes them through.
   * Default: fails with an error that names the request.
   */
  readonly unhandled?: ((request: Request) => Promise<Response>) | undefined;
}

/**
 * Prevents msw from buffering streamed bodies. msw clones each request so that several handlers can read it.
 * Only JSON bodies are cloned, because GraphQL handlers match on them. Other clones have no body.
 */
function withoutBodyClone(request: Request): Request {
  const { url, method, headers } = request;
  if (!request.body || headers.get('content-type')?.includes('json')) return request;
  Object.defineProperty(request, 'clone', { value: () => new Request(url, { method, headers }) });
  return request;
}

/**
 * Creates msw handlers that respond from an emulator, for `setupServer` or `setupWorker`. Handlers that you
 * add with `server.use()` take precedence.
 *
 * ```ts
 * const server = setupServer(...mswHandlers(emulator));
 * ```
 * @param emulator the result of `createEmulator`.
 * @param origin the only origin to respond to. Default: any.
 */
export function mswHandlers(
  emulator: { readonly respond: Handler },
  origin?: string,
): RequestHandler[] {
  return [
    http.all(
      ({ request }) => origin === undefined || new URL(request.url).origin === origin,
      async ({ request }) => {
        // msw intercepts a `fetch` call before `fetch` sets the `user-agent` header.
        if (!request.headers.has('user-agent')) request.headers.set('user-agent', 'node');
        const { pathname, search } = new URL(request.url);
        return withFault(await emulator.respond(request, pathname + search), request.signal);
      },
    ),
  ];
}

/**
 * Applies a fault. msw can truncate or slow down a body. Any other fault becomes a network error.
 */
function withFault(response: Response, signal: AbortSignal): Response {
  const fault = findWireFault(response);
  if (!fault) return response;
  if (fault.kind !== 'truncate' && fault.kind !== 'slow') return Response.error();
  const { status, headers } = response;
  return new Response(ReadableStream.from(readPieces(response, signal)), { status, headers });
}

/**
 * Creates an undici dispatcher from msw handlers. msw itself intercepts `fetch` and `node:http`,
 * but not the undici package. By default, a request that no handler matches fails with an error
 * that names the request.
 *
 * ```ts
 * const client = new HostingClient({ baseUrl, dispatcher: dispatcherFromMsw(handlers) });
 * ```
 */
export function dispatcherFromMsw(
  handlers: readonly RequestHandler[],
  options: MswBridgeOptions = {},
): Dispatcher {
  return dispatcherOver(async (request) => {
    const response = await getResponse([...handlers], withoutBodyClone(request));
    if (response) return response;
    if (options.unhandled) return await options.unhandled(request);
    throw new Error(`no msw handler matches ${request.method} ${request.url}`);
  });
}
