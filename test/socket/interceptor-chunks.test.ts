import { Agent, type Dispatcher } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createClient } from '../support/client.js';
import { serve } from '../support/server.js';

/** Creates an agent whose interceptor converts each chunk of a response body. */
function converting(convert: (chunk: Buffer) => Uint8Array | string): Dispatcher {
  const agent = new Agent();
  onTestFinished(() => agent.close());
  return agent.compose((dispatch) => (options, handler) => {
    const onResponseData: Dispatcher.DispatchHandler['onResponseData'] = (controller, chunk) =>
      // `as`: interceptors in JavaScript may pass any chunk.
      handler.onResponseData?.(controller, convert(chunk) as Buffer);
    const onRequestStart: Dispatcher.DispatchHandler['onRequestStart'] = (...parts) =>
      handler.onRequestStart?.(...parts);
    const onResponseStart: Dispatcher.DispatchHandler['onResponseStart'] = (...parts) =>
      handler.onResponseStart?.(...parts);
    const onResponseEnd: Dispatcher.DispatchHandler['onResponseEnd'] = (...parts) =>
      handler.onResponseEnd?.(...parts);
    return dispatch(options, { onRequestStart, onResponseStart, onResponseData, onResponseEnd });
  });
}

describe('interceptors that convert chunks', () => {
  it.each<[string, (chunk: Buffer) => Uint8Array | string]>([
    ['a Uint8Array', (chunk) => new Uint8Array(chunk)],
    ['text', (chunk) => chunk.toString()],
  ])(
    'the client decodes JSON, bytes and streams if an interceptor converts each chunk to %s',
    async (_what, convert) => {
      const server = await serve((_request, response) => response.end('{"name":"Zoë"}'));
      const client = createClient(server, { dispatcher: converting(convert) });
      expect(await client.request('GET /x')).toEqual({ name: 'Zoë' });
      const file = { owner: 'o', repo: 'r', path: 'x' };
      const bytes = await client.contents.getRaw(file, { as: 'bytes' });
      expect(String(bytes)).toBe('{"name":"Zoë"}');
      const stream = await client.contents.getRaw(file);
      expect(String(Buffer.concat(await stream.toArray()))).toBe('{"name":"Zoë"}');
    },
  );
});
