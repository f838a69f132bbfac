import type { RequestHandler } from 'msw';
import type { Dispatcher } from 'undici';
import { dispatcherOver } from './dispatcher.js';
import type { Answer } from './node-server.js';
import { piecesOf, wireFaultOf } from './wire.js';

/** Options of {@link dispatcherFromMsw}. */
export interface MswBridgeOptions {
  /** Answers what no handler takes: `(request) => fetch(request)` lets it through. Default: an error that names it. */
  readonly unhandled?: ((request: Request) => Promise<Response>) | undefined;
}

/**
 * msw clones each request so that several handlers can read it, and holds a streamed body in memory
 * for it. Only JSON bodies are worth that (GraphQL handlers match by them); others get a bodyless clone.
 */
function withoutBodyClone(request: Request): Request {
  const { url, method, headers } = request;
  if (!request.body || headers.get('content-type')?.includes('json')) return request;
  Object.defineProperty(request, 'clone', { value: () => new Request(url, { method, headers }) });
  return request;
}

/** Handlers for a user's own `setupServer` or `setupWorker`; their `server.use()` still wins. */
export async function mswHandlers(
  answer: Answer,
  isOurs: (url: URL) => boolean,
): Promise<RequestHandler[]> {
  const { http } = await import('msw');
  return [
    http.all(
      ({ request }) => isOurs(new URL(request.url)),
      async ({ request }) => {
        // `fetch` names its user agent further down than msw intercepts it.
        if (!request.headers.has('user-agent')) request.headers.set('user-agent', 'node');
        const { pathname, search } = new URL(request.url);
        return withFault(await answer(request, pathname + search), request.signal);
      },
    ),
  ];
}

/** Of the faults on the wire msw can show a network error, and a body that breaks off or is slow. */
function withFault(response: Response, signal: AbortSignal): Response {
  const fault = wireFaultOf(response);
  if (!fault) return response;
  if (fault.kind !== 'truncate' && fault.kind !== 'slow') return Response.error();
  const { status, headers } = response;
  return new Response(ReadableStream.from(piecesOf(response, signal)), { status, headers });
}

/**
 * An undici dispatcher over any msw handlers: msw by itself intercepts `fetch` and `node:http`, but not
 * the undici package. Needs msw, which is loaded with the first request. A request that no handler takes
 * is an error that names it.
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
    const { getResponse } = await import('msw');
    const response = await getResponse([...handlers], withoutBodyClone(request));
    if (response) return response;
    if (options.unhandled) return await options.unhandled(request);
    throw new Error(`no msw handler takes ${request.method} ${request.url}`);
  });
}
