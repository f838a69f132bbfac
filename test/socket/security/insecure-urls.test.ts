import type { RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { describe, expect, it, onTestFinished } from 'vitest';
import { HostingClient } from '../../../src/hosting/index.js';
import { rejectionOf } from '../../support/client.js';
import { listening, sendJson, serve } from '../../support/server.js';
import { authority } from '../private-authority.js';
import { keys } from '../tls-servers.js';

const token = 'tok-5ecret';

/**
 * Creates a client for an HTTPS API and an HTTP origin that the client trusts. `respond` handles
 * the API's requests.
 */
async function world(respond: (origins: { http: string; https: string }) => RequestListener) {
  const plain = await serve((_request, response) => sendJson(response, []));
  let listener: RequestListener = () => undefined;
  const server = createServer(keys, (request, response) => listener(request, response));
  const { port } = await listening(server);
  const home = `https://localhost:${port}`;
  listener = respond({ http: plain.origin, https: home });
  const client = new HostingClient({
    baseUrl: home,
    auth: { type: 'token', token },
    headers: { 'x-private': 'mine' },
    trustedOrigins: [plain.origin],
    tls: { ca: authority },
    retry: false,
  });
  onTestFinished(() => client.close());
  return { plain, client };
}

describe('plain http URLs from an https server', () => {
  it('paginate() rejects an http URL as the next page, even if its origin is trusted', async () => {
    const { plain, client } = await world(({ http }) => (_request, response) => {
      sendJson(response, [1], 200, { link: `<${http}/p2>; rel="next"` });
    });
    const items: unknown[] = [];
    const walk = async () => {
      for await (const item of client.paginate('GET /x')) items.push(item);
    };
    const error = await rejectionOf(walk());
    expect(error).toMatchObject({ code: 'response_shape' });
    expect(String(error)).toContain('uses http instead of https');
    expect(items).toEqual([1]);
    expect(plain.requests).toEqual([]);
  });

  it('paginate() never prefetches a last page with an http URL', async () => {
    const { plain, client } = await world(({ http, https }) => (_request, response) => {
      const [next, last] = [`${https}/x?page=2`, `${http}/x?page=9`];
      const link = `<${next}>; rel="next", <${last}>; rel="last"`;
      sendJson(response, [1], 200, _request.url === '/x' ? { link } : {});
    });
    await client.paginate('GET /x', {}, { concurrency: 5 }).toArray();
    expect(plain.requests).toEqual([]);
  });

  it('request() and paginate() reject an http URL', async () => {
    const { plain, client } = await world(() => (_request, response) => sendJson(response, {}));
    const stranger = await serve((_request, response) => sendJson(response, {}));
    for (const { origin } of [plain, stranger]) {
      const route = `GET ${origin}/x{?a}` as const;
      for (const call of [client.request(route), client.paginate(route).toArray()]) {
        const error = await rejectionOf(call);
        expect(error).toMatchObject({ code: 'invalid_request', field: 'route' });
      }
    }
    expect([...plain.requests, ...stranger.requests]).toEqual([]);
  });

  it('uploadAsset() rejects an http upload_url', async () => {
    const { plain, client } = await world(() => (_request, response) => sendJson(response, {}));
    const upload = client.releases.uploadAsset({
      upload_url: `${plain.origin}/assets{?name}`,
      name: 'a.zip',
      content_type: 'application/zip',
      data: Buffer.from('x'),
    });
    const error = await rejectionOf(upload);
    expect(error).toMatchObject({ code: 'invalid_request', field: 'upload_url' });
    expect(plain.requests).toEqual([]);
  });

  it('the client rejects a redirect from https to http, even to a trusted origin', async () => {
    const { plain, client } = await world(({ http }) => (_request, response) => {
      response.writeHead(302, { location: `${http}/x` }).end();
    });
    const inRepo = { owner: 'o', repo: 'r' };
    for (const send of [
      () => client.request('GET /x'),
      () => client.releases.downloadAsset({ ...inRepo, id: 1 }),
      () => client.contents.getArchive({ ...inRepo, archive_format: 'zipball', ref: 'main' }),
    ]) {
      expect(await rejectionOf(send())).toMatchObject({ reason: 'insecure' });
    }
    expect(plain.requests).toEqual([]);
  });
});
