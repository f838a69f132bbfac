import { format, inspect } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import * as one from '../../../src/errors/index.js';
import { ResponseDetails } from '../../../src/transport/response/response-details.js';

const secret = 's3cret-value';
const request = { operation: 'x.get', method: 'GET', url: 'https://a.example/x' };
const createResponse = (status: number) =>
  new ResponseDetails({
    status,
    statusText: 'Not Found',
    headers: { 'set-cookie': secret, etag: '"e"' },
    url: 'https://a.example/x',
    fromCache: false,
    attempts: 1,
    credentialParameters: new Set(),
  });
const response = createResponse(404);
const init = { request, response, body: { echo: secret } };
const limit = { reason: 'primary', retryAfter: 1000, resetAt: new Date(1000) } as const;
const hidden = { response, data: { echo: secret }, body: { echo: secret } };

/** Creates an error of each class from one copy of the module. */
function each(copy: typeof one): Record<string, Error> {
  return {
    InvalidRequestError: new copy.InvalidRequestError('m', { field: 'a' }),
    ConfigurationError: new copy.ConfigurationError('m', { option: 'a' }),
    ConnectionError: new copy.ConnectionError('m', {
      request,
      mayHaveActed: true,
      cause: new Error('c'),
    }),
    TimeoutError: new copy.TimeoutError('m', { request, reason: 'total', mayHaveActed: true }),
    RedirectError: new copy.RedirectError('m', {
      request,
      reason: 'loop',
      location: undefined,
      mayHaveActed: false,
    }),
    UnexpectedStatusError: new copy.UnexpectedStatusError('m', init),
    BadRequestError: new copy.BadRequestError('m', init),
    AuthenticationError: new copy.AuthenticationError('m', { ...init, reason: 'bad_credentials' }),
    PermissionError: new copy.PermissionError('m', { ...init, reason: 'forbidden' }),
    RateLimitError: new copy.RateLimitError('m', { ...init, ...limit }),
    NotFoundError: new copy.NotFoundError('m', init),
    ConflictError: new copy.ConflictError('m', init),
    UnprocessableError: new copy.UnprocessableError('m', init),
    ServerError: new copy.ServerError('m', init),
    OperationFailedError: new copy.OperationFailedError('m', { request, ...hidden }),
    OAuthError: new copy.OAuthError('m', { error: 'access_denied' }),
    ApplianceConfigurationError: new copy.ApplianceConfigurationError('m', {
      step: 'a',
      status: {},
    }),
    ResponseShapeError: new copy.ResponseShapeError('m', { request, issues: [], ...hidden }),
    ResponseBodyError: new copy.ResponseBodyError('m', {
      request,
      reason: 'empty',
      status: 200,
      response,
      mayHaveActed: true,
    }),
    SignatureError: new copy.SignatureError('m', { reason: 'missing' }),
  };
}

/** Imports another copy of the module, as if a second version were installed. */
async function otherCopy(): Promise<typeof one> {
  vi.resetModules();
  return await import('../../../src/errors/index.js');
}

const names = Object.keys(each(one));

describe('instanceof', () => {
  it('recognizes errors from another copy of the package', async () => {
    const two = await otherCopy();
    expect(two.NotFoundError).not.toBe(one.NotFoundError);
    for (const [mine, theirs] of [
      [one, two],
      [two, one],
    ] as const) {
      for (const [name, error] of Object.entries(each(theirs))) {
        const matching = names.filter((other) => error instanceof Reflect.get(mine, other));
        expect(matching, name).toEqual([name]);
        expect(error instanceof mine.TriforgeError).toBe(true);
        expect(error instanceof mine.ApiError).toBe(Reflect.has(error, 'documentationUrl'));
        expect(error instanceof Error).toBe(true);
        expect(mine.isTriforgeError(error)).toBe(true);
        expect(mine.isApiError(error)).toBe(error instanceof mine.ApiError);
      }
    }
  });

  it("matches a user's subclass only for instances of that subclass", async () => {
    const two = await otherCopy();
    class Mine extends one.NotFoundError {}
    class Twin extends two.NotFoundError {}
    const mine = new Mine('m', init);
    expect(mine instanceof Mine && mine instanceof one.NotFoundError).toBe(true);
    expect(mine instanceof two.NotFoundError).toBe(true);
    expect(mine instanceof Twin).toBe(false);
    expect(new one.NotFoundError('m', init) instanceof Mine).toBe(false);
    expect(mine.name).toBe('NotFoundError');
  });

  it.each([[undefined], [null], [1], ['x'], [{}], [[]], [new Error('x')], [Object.create(null)]])(
    'instanceof, isTriforgeError() and isApiError() return false for $0',
    (value) => {
      expect(value instanceof one.TriforgeError).toBe(false);
      expect(one.isTriforgeError(value)).toBe(false);
      expect(one.isApiError(value)).toBe(false);
    },
  );
});

describe('TriforgeError', () => {
  it('every error class sets a name, a unique code and a documentation link', async () => {
    const errors = Object.values(each(await otherCopy()));
    expect(errors.map(({ name }) => name)).toEqual(names);
    expect(new Set(errors.map((error) => Reflect.get(error, 'code'))).size).toBe(errors.length);
    expect(errors.map((error) => Reflect.get(error, 'docs'))).toEqual(
      names.map((name) => `docs/errors.md#${name.toLowerCase()}`),
    );
  });

  it('a printed error hides the response body and cookies', () => {
    for (const error of Object.values(each(one))) {
      const shown = [
        inspect(error, { depth: 9 }),
        format('%o', error),
        JSON.stringify(error),
        String(error),
      ];
      for (const text of shown) expect(text).not.toContain(secret);
    }
  });

  it('an error exposes the response and its body as properties', () => {
    const error = new one.NotFoundError('m', init);
    expect([error.body, error.response.status]).toEqual([{ echo: secret }, 404]);
    expect(inspect(error.response)).not.toContain(secret);
    expect(JSON.stringify(error.response)).toContain('"status":404');
  });

  it.each([
    [false, 404, undefined],
    [true, 500, undefined],
    [false, 503, false],
    [true, 404, true],
  ])(
    'an API error has mayHaveActed: %s for the status %i and the option `mayHaveActed: %s`',
    (expected, status, mayHaveActed) => {
      const options = { ...init, response: createResponse(status), mayHaveActed };
      expect(new one.UnexpectedStatusError('m', options)).toMatchObject({
        status,
        mayHaveActed: expected,
      });
    },
  );
});
