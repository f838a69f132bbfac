import { describe, expect, it } from 'vitest';
import { isTriforgeError } from '../../src/errors/index.js';
import { HostingClient, OAuthWebFlow } from '../../src/hosting/index.js';
import { createClient, rejectionOf } from '../support/client.js';
import { sendJson, serve } from '../support/server.js';

/** Values that can't be converted to text or JSON, or that throw when they are inspected. */
function strangeValues(): [string, unknown][] {
  const hostile = {
    toString: () => {
      throw new Error('no text');
    },
    toJSON: () => {
      throw new Error('no JSON');
    },
  };
  return [
    ['a bigint', 10n],
    ['a symbol', Symbol('s')],
    ['an object without a prototype', Object.create(null)],
    ['an object whose toString throws', hostile],
    ['a function', () => undefined],
  ];
}

const baseUrl = 'https://code.example.com/api/v3';

/** Creates a client with unchecked options. Returns the error if the constructor throws. */
function construct(options: Readonly<Record<string, unknown>>): unknown {
  try {
    return Reflect.construct(HostingClient, [{ baseUrl, ...options }]);
  } catch (error) {
    return error;
  }
}

for (const [name, value] of strangeValues())
  describe(name, () => {
    it.each([
      ['baseUrl', { baseUrl: value }],
      ['trustedOrigins', { trustedOrigins: value }],
      ['trustedOrigins', { trustedOrigins: [value] }],
      ['userAgent', { userAgent: value }],
      ['dispatcher', { dispatcher: value }],
      ['timeout', { timeout: value }],
      ['timeout.total', { timeout: { total: value } }],
      ['retry', { retry: value }],
      ['retry.limit', { retry: { limit: value } }],
      ['validation', { validation: value }],
      ['maxRedirects', { maxRedirects: value }],
      ['maxResponseBytes', { maxResponseBytes: value }],
      ['maxConcurrency', { maxConcurrency: value }],
      ['concurrency', { concurrency: value }],
      ['rateLimit', { rateLimit: value }],
      ['rateLimit.onLimit', { rateLimit: { onLimit: value } }],
      ['rateLimit.maxWait', { rateLimit: { maxWait: value } }],
      ['rateLimit.shared', { rateLimit: { shared: value } }],
      ['cache', { cache: value }],
      ['cache.store', { cache: { store: value } }],
      ['proxy', { proxy: value }],
      ['tls', { tls: value }],
      ['tls.ca', { tls: { ca: value } }],
      ['tls.servername', { tls: { servername: value } }],
    ])(
      `the option %s accepts ${name} or rejects it with a ConfigurationError`,
      (_option, options) => {
        const created = construct(options);
        if (created instanceof HostingClient) return;
        expect(created, String(Reflect.get(Object(created), 'stack'))).toMatchObject({
          code: 'configuration',
        });
      },
    );

    it(`the client rejects ${name} as an input or call option`, async () => {
      const server = await serve((_request, response) => sendJson(response, []));
      const client = createClient(server);
      const repo = { owner: 'o', repo: 'r' };
      // `as`: JavaScript callers may pass anything.
      const call = (part: unknown) => part as never;
      const calls: (() => PromiseLike<unknown>)[] = [
        () => client.pulls.get({ ...repo, number: call(value) }),
        () => client.pulls.get({ owner: call(value), repo: 'r', number: 1 }),
        () => client.pulls.list({ ...repo, state: call(value) }).first(),
        () => client.pulls.get({ ...repo, number: 1 }, { validation: call(value) }),
        () => client.pulls.get({ ...repo, number: 1 }, { retry: { limit: call(value) } }),
        () =>
          client.contents.getArchive(
            { ...repo, archive_format: 'tarball', ref: 'main' },
            { as: call(value) },
          ),
        () => client.request('GET /x/{y}', { y: call(value) }),
        () => client.request('GET /x', { y: call(value) }),
        () => client.pulls.list(repo, { from: call(value) }).first(),
        () => client.pulls.list(repo).toArray({ limit: call(value) }),
      ];
      for (const each of calls) {
        const error = await rejectionOf((async () => await each())());
        expect(isTriforgeError(error), `${each}: ${Reflect.get(Object(error), 'stack')}`).toBe(
          true,
        );
      }
      expect(server.log).toEqual([]);
    });

    it(`OAuthWebFlow rejects ${name} as its authUrl`, () => {
      const settings = { authUrl: value, clientId: 'c'.repeat(20), clientSecret: 's'.repeat(40) };
      expect(() => Reflect.construct(OAuthWebFlow, [settings])).toThrow(
        expect.toSatisfy(isTriforgeError),
      );
    });
  });

describe('errors for out-of-range numbers', () => {
  it.each([
    ['10n', 10n],
    ['NaN', Number.NaN],
    ['-1', -1],
    ['"5"', '5'],
    ['an object', Object.create(null)],
  ])('the error for an invalid retry.limit shows the value as %s', (text, limit) => {
    expect(construct({ retry: { limit } })).toHaveProperty(
      'message',
      `retry.limit: must be a number from 0 to 100 (got ${text})`,
    );
  });
});
