import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type HostingClient, isTriforgeError, type TriforgeError } from '../../src/index.js';
import { createClient, rejectionOf } from '../support/client.js';
import { sendJson, serve } from '../support/server.js';
import { asset, folder, respond } from './download-world.js';

/** Returns the error from a failed call. Programs may use such an error as an abort reason. */
async function otherError(): Promise<TriforgeError> {
  const server = await serve((_request, response) => response.destroy());
  const client = createClient(server, { retry: false });
  const error = await rejectionOf(client.releases.downloadAsset(asset, { as: 'bytes' }));
  if (!isTriforgeError(error)) throw error;
  return error;
}

const calls: Readonly<
  Record<string, (client: HostingClient, path: string, signal: AbortSignal) => Promise<unknown>>
> = {
  'paginate() with a prefetched page': (client, _path, signal) =>
    client.paginate('GET a', {}, { signal }).toArray(),
  'paginate() with concurrency': (client, _path, signal) =>
    client.paginate('GET a', {}, { signal, concurrency: 4 }).toArray(),
  'a download to a file': (client, path, signal) =>
    client.releases.downloadAsset(asset, { to: join(path, 'a'), signal }),
};

describe.each(Object.entries(calls))('%s', (_what, run) => {
  it.each([false, true])(
    "an aborted call rejects with the unchanged abort reason, even if the reason is another call's error (frozen: %s)",
    async (isFrozen) => {
      const reason = await otherError();
      const { stack } = reason;
      const controller = new AbortController();
      const abort = () =>
        setTimeout(() => controller.abort(isFrozen ? Object.freeze(reason) : reason), 20);
      const server = await serve((request, response) => {
        if (!request.url.includes('/a')) return abort();
        if (request.url.includes('assets')) {
          respond(request, response, { headers: { 'content-length': '500000' } });
          return abort();
        }
        if (request.url.includes('page=')) return abort();
        const to = (page: number) => `<${server.origin}/api/v3/a?page=${page}>`;
        return sendJson(response, [1, 2], 200, {
          link: `${to(2)}; rel="next", ${to(9)}; rel="last"`,
        });
      });
      const { path } = await folder();
      const call = run(createClient(server, { retry: false }), path, controller.signal);
      expect(await rejectionOf(call)).toBe(reason);
      expect(reason.stack).toBe(stack);
    },
  );
});
