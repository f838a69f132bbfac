import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { HostingClient } from '../../src/index.js';
import { BodyBuffer } from '../../src/transport/body-buffer.js';

/** `size` bytes that tell where they stand. */
const numbered = (size: number, from = 0) =>
  Buffer.from(Uint8Array.from({ length: size }, (_, index) => (index + from) % 251));

function gathered(chunks: readonly Buffer[], expected: number): BodyBuffer {
  const body = new BodyBuffer();
  for (const chunk of chunks) body.push(chunk, expected);
  return body;
}

describe('BodyBuffer', () => {
  test('no chunk is an empty body', () => {
    expect(new BodyBuffer().whole()).toEqual(Buffer.alloc(0));
  });

  test('one chunk is the body itself, without a copy', () => {
    const chunk = numbered(10);
    expect(gathered([chunk], 10).whole()).toBe(chunk);
  });

  test.each([
    ['known', 700_000],
    ['unknown', 0],
    ['no number', Number.NaN],
    ['too small', 10],
    ['a lie', 1e15],
  ])('chunks come together where the length is %s', (_title, expected) => {
    const whole = numbered(700_000);
    const cuts = [0, 1, 65_536, 131_072, 400_000, 699_999, 700_000];
    const chunks = cuts.slice(1).map((end, index) => whole.subarray(cuts[index], end));
    const body = gathered(chunks, expected);
    expect(body.size).toBe(700_000);
    expect(body.whole().equals(whole)).toBe(true);
  });

  test('memory is used again only once it was given back', () => {
    const [first, second] = [numbered(1000), numbered(1000, 7)];
    const one = gathered([first, first], 2000);
    const view = one.whole();
    const two = gathered([second, second], 2000);
    expect(view.equals(Buffer.concat([first, first])), 'another body wrote into it').toBe(true);
    two.recycle();
    two.recycle();
    const three = gathered([first, first], 2000);
    const four = gathered([second, second], 2000);
    expect(three.whole().equals(Buffer.concat([first, first])), 'given out twice').toBe(true);
    expect(four.whole().equals(Buffer.concat([second, second]))).toBe(true);
  });
});

test('many long answers at once do not mix', async () => {
  const server = createServer(async (request, response) => {
    const id = Number(request.url?.split('/').at(-1));
    const body = JSON.stringify({ id, text: String.fromCharCode(97 + (id % 26)).repeat(150_000) });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    // In pieces, so that the bodies of all calls come in turn.
    for (let at = 0; at < body.length; at += 20_000) {
      response.write(body.slice(at, at + 20_000));
      await wait(id % 3);
    }
    response.end();
  }).listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  await using client = new HostingClient({ baseUrl: `http://127.0.0.1:${port}/` });
  const schema = z.object({ id: z.number(), text: z.string() });
  for (let round = 0; round < 3; round++) {
    const answers = await Promise.all(
      Array.from({ length: 40 }, (_, id) =>
        client.request({ method: 'GET', path: `/things/${id}`, schema }),
      ),
    );
    for (const [id, { id: got, text }] of answers.entries()) {
      expect(got).toBe(id);
      const letter = String.fromCharCode(97 + (id % 26));
      expect(text === letter.repeat(150_000), `the text of answer ${id}`).toBe(true);
    }
  }
});
