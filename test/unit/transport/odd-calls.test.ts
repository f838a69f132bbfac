import { describe, expect, it } from 'vitest';
import { HostingClient } from '../../../src/hosting/client.js';
import { ApiClient } from '../../../src/transport/api-client.js';
import { anonymous } from '../../../src/transport/request/credentials.js';
import { rejectionOf } from '../../support/client.js';
import { AnsweringDispatcher } from './dispatch/answering-dispatcher.js';
import { spec } from './policies/cached-spec.js';
import { anyJson, transportOver } from './prepared-calls.js';

const repository = { owner: 'a', repo: 'b' };

function hostingOver(script: ConstructorParameters<typeof AnsweringDispatcher>[0]) {
  const dispatcher = new AnsweringDispatcher(script);
  const auth = { type: 'token', token: 'hush99' } as const;
  const hosting = new HostingClient({ baseUrl: 'https://code.example.com', dispatcher, auth });
  return { dispatcher, hosting };
}

describe('pulls.list()', () => {
  it('pulls.list() rejects a response that is not an array, even without validation', async () => {
    const { hosting } = hostingOver([{ body: '{"number":1}' }]);
    const list = hosting.pulls.list(repository, { validation: 'off' });
    const error = await rejectionOf(list.toArray());
    expect(error).toMatchObject({
      code: 'response_shape',
      message: expect.stringMatching(/array.* an object/),
    });
  });

  it.each([0, 101, Number.NaN])(
    'pulls.list() rejects a concurrency of %s without sending a request',
    async (concurrency) => {
      const { hosting, dispatcher } = hostingOver([]);
      const list = hosting.pulls.list(repository, { concurrency });
      const error = await rejectionOf(list.toArray());
      expect(error).toMatchObject({ code: 'invalid_request', field: 'concurrency' });
      expect(dispatcher.sent).toEqual([]);
    },
  );
});

describe('a call', () => {
  it('a call sends no credentials if its auth option is null', async () => {
    const { hosting, dispatcher } = hostingOver([{ body: '1' }, { body: '2' }]);
    const call = (options?: object) =>
      Reflect.apply(hosting.request, hosting, ['GET x', {}, options]);
    expect(await call({ auth: null })).toBe(1);
    expect(await call()).toBe(2);
    const sent = dispatcher.sent.map(({ headers }) => headers.authorization);
    expect(sent).toEqual([undefined, 'token hush99']);
  });

  it('a call rejects with the error that a getter in its input throws', async () => {
    const { hosting, dispatcher } = hostingOver([]);
    const input = {
      get data(): never {
        throw new RangeError('unreadable');
      },
    };
    const call: unknown = Reflect.apply(hosting.releases.uploadAsset, hosting.releases, [input]);
    await expect(call).rejects.toThrow(RangeError);
    expect(dispatcher.sent).toEqual([]);
  });

  it('a call that first reads files returns the result of its request', async () => {
    const transport = transportOver(new AnsweringDispatcher([{ body: '"fine"' }]));
    const api = new ApiClient(transport, anonymous, () => anonymous);
    const call = api.send({
      operation: 'test',
      input: {},
      build: () => ({ ...spec, read: async () => ({ body: undefined, secrets: [] }) }),
      response: anyJson,
    });
    expect(await call).toBe('fine');
  });
});
