import { Readable } from 'node:stream';
import { describe, expect, it } from 'vitest';
import { ConsoleClient } from '../../src/console/index.js';
import { createClient, rejectionOf, until } from '../support/client.js';
import { sendJson, serve, type TestServer } from '../support/server.js';

const input = (server: TestServer, data: ReadableStream<Uint8Array>, size = 8) => ({
  upload_url: `${server.origin}/up{?name}`,
  name: 'a',
  content_type: 'a/b',
  data,
  size,
});

const take = (status = 201) =>
  serve((request, response) => sendJson(response, request.body, status));

/** Creates a web stream that never ends, and reports whether it was cancelled. */
function endless() {
  const state = { cancelled: false };
  const data = new ReadableStream<Uint8Array>({
    start: (stream) => stream.enqueue(Buffer.from('some')),
    cancel: () => {
      state.cancelled = true;
    },
  });
  return { data, state };
}

describe('uploads of a ReadableStream', () => {
  it('sends the stream of a Blob', async () => {
    const server = await take();
    const client = createClient(server, { validation: 'off' });
    const data = new Blob(['all ', 'data']).stream();
    expect(await client.releases.uploadAsset(input(server, data))).toBe('all data');
    expect(server.requests[0]?.headers).toMatchObject({ 'content-length': '8' });
  });

  it('sends the body of a fetch response', async () => {
    const server = await take();
    const { body } = await fetch(server.origin, { method: 'POST', body: 'fetched' });
    if (!body) throw new Error('the response has no body');
    const client = createClient(server, { validation: 'off' });
    // The server responds with the text as JSON, in quotes.
    expect(await client.releases.uploadAsset(input(server, body, 9))).toBe('"fetched"');
  });

  it('sends a license, settings and a package to the Management Console', async () => {
    const server = await serve((_request, response) => response.writeHead(202).end());
    await using appliance = new ConsoleClient({ baseUrl: server.origin });
    await appliance.start({
      license: new Blob(['the license']).stream(),
      settings: new Blob(['{"enterprise":{"private_mode":true}}']).stream(),
      package: new Blob(['the package']).stream(),
    });
    expect(server.requests[0]?.body).toContain('the license');
    expect(server.requests[0]?.body).toContain('private_mode');
    expect(server.requests[0]?.body).toContain('the package');
  });

  it('is not retried after the stream was read', async () => {
    const server = await take(429);
    const client = createClient(server);
    const data = new Blob(['all data']).stream();
    const error = await rejectionOf(client.releases.uploadAsset(input(server, data)));
    expect(error).toMatchObject({ status: 429 });
    expect(server.requests).toHaveLength(1);
  });

  it('cancels the stream if the call is aborted', async () => {
    const server = await take();
    const { data, state } = endless();
    const controller = new AbortController();
    const call = createClient(server).releases.uploadAsset(input(server, data), {
      signal: controller.signal,
    });
    const failing = rejectionOf(call);
    await until('it is on its way', () => server.requests[0]?.body === 'some');
    controller.abort();
    expect(await failing).toMatchObject({ name: 'AbortError' });
    await until('the stream is cancelled', () => state.cancelled);
  });

  it('cancels the stream if the call fails before the stream is read', async () => {
    const { data, state } = endless();
    const server = await take();
    const call = createClient(server).releases.uploadAsset({ ...input(server, data), name: '' });
    expect(await rejectionOf(call)).toMatchObject({ field: 'name' });
    await until('the stream is cancelled', () => state.cancelled);
    expect(server.log).toEqual([]);
  });

  it('rejects a stream that is locked, partly read, or already sent', async () => {
    const server = await take();
    const client = createClient(server, { validation: 'off' });
    const locked = new Blob(['all data']).stream();
    locked.getReader();
    const read = new Blob(['all data']).stream();
    const reader = read.getReader();
    await reader.read();
    reader.releaseLock();
    const sent = new Blob(['all data']).stream();
    await client.releases.uploadAsset(input(server, sent));
    for (const data of [locked, read, sent]) {
      const error = await rejectionOf(client.releases.uploadAsset(input(server, data)));
      expect(error).toMatchObject({
        field: 'data',
        message: expect.stringContaining('must be a stream that has not been read'),
      });
    }
    expect(server.requests).toHaveLength(1);
  });

  it('rejects a stream whose chunks are not bytes', async () => {
    const server = await take();
    // `as`: JavaScript callers can pass a stream of any chunks.
    const data = Readable.toWeb(Readable.from([5])) as ReadableStream<Uint8Array>;
    const error = await rejectionOf(createClient(server).releases.uploadAsset(input(server, data)));
    expect(error).toMatchObject({
      message: expect.stringContaining('data: the stream must contain bytes (got the number 5)'),
    });
  });
});
