import { describe, expect, it } from 'vitest';
import type { RequestPolicy } from '../../src/index.js';
import { createClient } from '../support/client.js';
import { serve } from '../support/server.js';

const large = 3_000_000;
const small = 70_000;

/** Sends `path` as repeated letters, in two chunks: `/a` is large JSON, `/b` is small. */
async function letters() {
  return await serve(async ({ url }, response) => {
    const letter = url.slice(-1);
    const body = JSON.stringify(letter.repeat(letter === 'a' ? large : small));
    response.write(body.slice(0, 1000));
    await new Promise((resolve) => setImmediate(resolve));
    response.end(body.slice(1000));
  });
}

describe('response body memory', () => {
  it('the buffer of a small response body contains no bytes of an earlier response', async () => {
    const client = createClient(await letters());
    await client.request({ path: '/a' });
    const input = { owner: 'o', repo: 'r', path: 'b' };
    const bytes = await client.contents.getRaw(input, { as: 'bytes' });
    expect(bytes.length).toBe(small + 2);
    expect(bytes.buffer.byteLength).toBe(bytes.length);
  });

  it('a later response never overwrites a body that a policy keeps', async () => {
    const bodies: Buffer[] = [];
    const keep: RequestPolicy = (next) => async (request, context) => {
      const response = await next(request, context);
      if (!response.failed && response.body instanceof Buffer) bodies.push(response.body);
      return response;
    };
    const server = await letters();
    const client = createClient(server, { policies: [keep] });
    await createClient(server).request({ path: '/a' });
    await client.request({ path: '/b' });
    await client.request({ path: '/c' });
    expect(bodies.map((body) => [body[1], new Set(body.subarray(1, -1)).size])).toEqual([
      ['b'.charCodeAt(0), 1],
      ['c'.charCodeAt(0), 1],
    ]);
    expect(bodies.map(({ buffer }) => buffer.byteLength)).toEqual([small + 2, small + 2]);
  });
});
