import { createServer } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { HostingClient } from '../../../../src/index.js';

test('concurrent calls with long responses each return their own body', async () => {
  const server = createServer(async (request, response) => {
    const id = Number(request.url?.split('/').at(-1));
    const body = JSON.stringify({ id, text: String.fromCharCode(97 + (id % 26)).repeat(150_000) });
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length });
    // The server sends each body in chunks, so the bodies of all calls arrive interleaved.
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
    const responses = await Promise.all(
      Array.from({ length: 40 }, (_, id) => client.request(`GET /things/${id}`, {}, { schema })),
    );
    for (const [id, { id: got, text }] of responses.entries()) {
      expect(got).toBe(id);
      const letter = String.fromCharCode(97 + (id % 26));
      expect(text === letter.repeat(150_000), `the text of response ${id}`).toBe(true);
    }
  }
});
