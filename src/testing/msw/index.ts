/**
 * Serves the emulator through [msw](https://mswjs.io), version 2.10 or later, or any 3.x.
 * @packageDocumentation
 */
import { http, type RequestHandler } from 'msw';
import type { Handler } from '../node-server.js';
import { readPieces, wireFaults } from '../wire-faults.js';

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
  const fault = wireFaults.get(response);
  if (!fault) return response;
  if (fault.kind !== 'truncate' && fault.kind !== 'slow') return Response.error();
  const { status, headers } = response;
  return new Response(ReadableStream.from(readPieces(response, signal)), { status, headers });
}
