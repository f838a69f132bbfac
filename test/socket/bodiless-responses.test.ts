import { describe, expect, it } from 'vitest';
import { createClient } from '../support/client.js';
import { serveRaw } from '../support/server.js';

const repo = { owner: 'o', repo: 'r' };
const file = { ...repo, path: 'a.txt' };

describe('bodiless responses with a nonzero Content-Length', () => {
  it('a 304 with a nonzero Content-Length revalidates the cached response', async () => {
    const server = await serveRaw((socket, _index, head) =>
      socket.write(
        /^if-none-match: "v1"/im.test(head)
          ? 'HTTP/1.1 304 Not Modified\r\netag: "v1"\r\ncontent-length: 7\r\n\r\n'
          : 'HTTP/1.1 200 OK\r\netag: "v1"\r\ncontent-length: 7\r\n\r\n{"a":1}',
      ),
    );
    const client = createClient(server, { cache: true, retry: false });
    for (const fromCache of [false, true, true]) {
      const { data, response } = await client.request('GET /x').withResponse();
      expect([data, response.fromCache]).toEqual([{ a: 1 }, fromCache]);
    }
  });

  it.each([200, 299])('the client accepts the status %i', async (status) => {
    const server = await serveRaw((socket) =>
      socket.write(`HTTP/1.1 ${status} OK\r\ncontent-length: 2\r\n\r\n{}`),
    );
    expect(await createClient(server).request('GET /x')).toEqual({});
  });

  it('the client treats a 204 with a nonzero Content-Length as a success', async () => {
    const server = await serveRaw((socket) =>
      socket.write('HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\n{}'),
    );
    const client = createClient(server);
    await client.starring.star(repo);
    expect(await client.starring.isStarred(repo)).toBe(true);
    expect(server.log).toHaveLength(2);
  });

  it('a 204 with a nonzero Content-Length yields an empty stream', async () => {
    const server = await serveRaw((socket) =>
      socket.write('HTTP/1.1 204 No Content\r\ncontent-length: 2\r\n\r\n'),
    );
    const stream = await createClient(server).contents.getRaw(file);
    expect(await stream.toArray()).toEqual([]);
  });
});
