import * as zlib from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { createClient, rejectionOf } from '../support/client.js';
import { serveRaw } from '../support/server.js';
import { respond } from './faults/fault-table.js';

const json = JSON.stringify({ text: 'ä'.repeat(500) });
const gzip = zlib.gzipSync(json);

describe('response bodies', () => {
  it('the client omits an invalid JSON body from the error', async () => {
    const server = await serveRaw((socket) => socket.write(respond('200 OK', '{"token":"s3cret"')));
    const error = await rejectionOf(createClient(server).request('GET /x'));
    expect(String(error)).not.toContain('s3cret');
  });

  it('the client ignores the body of a 204', async () => {
    const server = await serveRaw((socket, index) =>
      socket.write(
        index === 0 ? respond('204 No Content', 'not allowed', false) : respond('200 OK', '2'),
      ),
    );
    const client = createClient(server);
    expect(await client.request('GET /x')).toBeUndefined();
    expect(await client.request('GET /x')).toBe(2);
  });

  it('the client resolves a HEAD call without waiting for the body that Content-Length announces', async () => {
    const server = await serveRaw((socket) =>
      socket.write(respond('200 OK\ncontent-encoding: gzip\netag: "e"', '', 5000)),
    );
    const call = createClient(server).request('HEAD /x');
    expect((await call.withResponse()).response).toMatchObject({ status: 200, etag: '"e"' });
  });

  it("the client returns decompressed bytes with `responseType: 'bytes'`", async () => {
    const server = await serveRaw((socket) =>
      socket.write(respond('200 OK\ncontent-encoding: gzip', gzip)),
    );
    const bytes = await createClient(server).request('GET /x', {}, { responseType: 'bytes' });
    expect(Buffer.isBuffer(bytes) && bytes.toString()).toBe(json);
  });
});
