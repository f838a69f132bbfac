import { Agent, type Dispatcher, interceptors } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { ConfigurationError, NotFoundError, UnprocessableError } from '../../src/errors/index.js';
import { createClient, rejectionOf } from '../support/client.js';
import { sendJson, serve } from '../support/server.js';

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
    const onResponseError: Dispatcher.DispatchHandler['onResponseError'] = (...parts) =>
      handler.onResponseError?.(...parts);
    return dispatch(options, {
      onRequestStart,
      onResponseStart,
      onResponseData,
      onResponseEnd,
      onResponseError,
    });
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

describe('the responseError interceptor of undici', () => {
  it.each([
    ['GET /gone', 404, NotFoundError],
    ['POST /items', 422, UnprocessableError],
  ] as const)('keeps the error class and sends %s once', async (route, status, ErrorClass) => {
    const agent = new Agent();
    onTestFinished(() => agent.close());
    const dispatcher = agent.compose(interceptors.responseError());
    const server = await serve((_request, response) =>
      sendJson(response, { message: 'Nope' }, status),
    );
    const error = await rejectionOf(createClient(server, { dispatcher }).request(route));
    expect(error).toBeInstanceOf(ErrorClass);
    expect(error).toMatchObject({ mayHaveActed: false, body: { message: 'Nope' } });
    expect(server.requests).toHaveLength(1);
  });
});

describe('a dispatcher of undici 6', () => {
  it('is named in the error of the first call', async () => {
    // undici 6 throws this error, because the handler has no `onError` method.
    const dispatcher = {
      dispatch: () => {
        throw new Error('invalid onError method');
      },
    };
    const client = createClient({ origin: 'http://127.0.0.1:1' }, { dispatcher });
    const error = await rejectionOf(client.request('GET /user'));
    expect(error).toBeInstanceOf(ConfigurationError);
    expect(error).toMatchObject({ option: 'dispatcher' });
    expect(String(error)).toContain('needs undici 7 or later');
  });
});
