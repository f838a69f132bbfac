import { describe, expect, it } from 'vitest';
import { ConnectionError } from '../../../../src/errors/index.js';
import type { RequestPolicy } from '../../../../src/transport/policies/user-policies.js';
import { rejectionOf } from '../../../support/client.js';
import { anyJson, createJob } from '../prepared-calls.js';
import { recordChannel } from '../recorded-events.js';
import { changing, withPolicies } from './with-policies.js';

describe('errors of policies', () => {
  const thrown = new Error('the policy failed');
  const failing: RequestPolicy = () => () => {
    throw thrown;
  };

  it("the client rethrows a policy's error and doesn't retry the request", async () => {
    const starts = recordChannel('triforge:request:start');
    const { transport, dispatcher } = withPolicies([failing]);
    expect(await rejectionOf(transport.perform(createJob(anyJson)))).toBe(thrown);
    expect(dispatcher.sent).toEqual([]);
    expect(starts).toEqual([]);
  });

  it('the client releases the permit after a policy throws', async () => {
    const ends = recordChannel('triforge:request:error');
    let calls = 0;
    const failingOnce: RequestPolicy = (next) => async (request, context) => {
      const response = await next(request, context);
      calls++;
      if (calls === 1) throw thrown;
      return response;
    };
    const { transport, dispatcher } = withPolicies([failingOnce], undefined, { maxConcurrency: 1 });
    expect(await rejectionOf(transport.perform(createJob(anyJson)))).toBe(thrown);
    expect((await transport.perform(createJob(anyJson))).data).toBe('fine');
    expect(dispatcher.sent).toHaveLength(2);
    expect(ends).toMatchObject([{ attempt: 1, kind: 'unknown' }]);
  });

  it('the client throws a ConnectionError if the policy returns a connection failure', async () => {
    const passing: RequestPolicy = (next) => next;
    const { transport } = withPolicies([passing], () => ({ error: new Error('gone') }));
    const error = await rejectionOf(transport.perform(createJob(anyJson, { retry: { limit: 0 } })));
    expect(error).toBeInstanceOf(ConnectionError);
  });
});

describe('invalid policies', () => {
  it.each<[string, RequestPolicy, object]>([
    [
      'sets a header that only the client may set',
      changing({ headers: { authorization: 'mine' } }),
      { code: 'invalid_request', field: 'headers.authorization' },
    ],
    [
      "sets a URL that isn't absolute",
      changing({ url: '/relative' }),
      { code: 'invalid_request', field: 'policies.url' },
    ],
    [
      'changes the URL from https to http',
      changing({ url: 'http://code.example.com/' }),
      { code: 'invalid_request', field: 'policies.url' },
    ],
    [
      'changes the body',
      (next) => (request, context) => next({ ...request, body: 'x' }, context),
      { code: 'invalid_request', field: 'policies.body' },
    ],
    [
      'changes the method',
      (next) => (request, context) => next({ ...request, method: 'PUT' }, context),
      { code: 'invalid_request', field: 'policies.method' },
    ],
    [
      'calls next without the second argument',
      (next) => (request) => Reflect.apply(next, undefined, [request]),
      {
        code: 'configuration',
        message: 'policies[0]: must pass its second argument to next (got undefined)',
      },
    ],
    [
      'returns nothing',
      () => () => Reflect.apply(Promise.resolve, Promise, []),
      {
        code: 'configuration',
        message:
          'policies[0]: must return a response, such as the result of next() (got undefined)',
      },
    ],
    [
      'returns a response without a body',
      (next) => async (request, context) =>
        Object.assign({}, await next(request, context), { body: 1 }),
      {
        code: 'configuration',
        message: 'policies[0]: must return a response, such as the result of next()',
      },
    ],
  ])('the client rejects the call if the policy %s', async (_name, policy, expected) => {
    const { transport } = withPolicies([policy]);
    expect(await rejectionOf(transport.perform(createJob(anyJson)))).toMatchObject(expected);
  });

  it.each<[string, unknown, string]>([
    ["isn't in an array", 'x', 'policies: must be an array of functions (got a string)'],
    ["isn't a function", [1], 'policies[0]: must be a function (got the number 1)'],
    [
      "doesn't return a function",
      [() => 1],
      'policies[0]: must return a function (got the number 1)',
    ],
  ])('the client throws a ConfigurationError if a policy %s', (_name, policies, message) => {
    // `as`: JavaScript callers can pass anything.
    const create = () => withPolicies(policies as RequestPolicy[]);
    expect(create).toThrow(expect.objectContaining({ code: 'configuration', message }));
  });
});
