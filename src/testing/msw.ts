import type { RequestHandler } from 'msw';
import type { Dispatcher } from 'undici';
import { dispatcherOver } from './dispatcher.js';
import type { Answer } from './node-server.js';

/** msw would clone the request to let several handlers read it, and hold a streamed body in memory for it. */
function withoutBodyClone(request: Request): Request {
  const { url, method, headers } = request;
  Object.defineProperty(request, 'clone', { value: () => new Request(url, { method, headers }) });
  return request;
}

/** Handlers for a user's own `setupServer` or `setupWorker`; their `server.use(…)` still wins. */
export async function mswHandlers(
  answer: Answer,
  isOurs: (url: URL) => boolean,
): Promise<RequestHandler[]> {
  const { http } = await import('msw');
  return [
    http.all(
      ({ request }) => isOurs(new URL(request.url)),
      ({ request }) => {
        const url = new URL(request.url);
        return answer(request, url.pathname + url.search);
      },
    ),
  ];
}

/**
 * An undici dispatcher over any msw handlers: msw by itself intercepts `fetch` and `node:http`, but not
 * the undici package. A request that no handler takes is an error that names it.
 *
 * ```ts
 * const client = new HostingClient({ baseUrl, dispatcher: await dispatcherFromMsw(handlers) });
 * ```
 */
export async function dispatcherFromMsw(handlers: readonly RequestHandler[]): Promise<Dispatcher> {
  const { getResponse } = await import('msw');
  return await dispatcherOver(async (request) => {
    const name = `${request.method} ${request.url}`;
    const response = await getResponse([...handlers], withoutBodyClone(request));
    if (!response) throw new Error(`no msw handler takes ${name}`);
    return response;
  });
}
