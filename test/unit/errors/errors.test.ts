import { inspect } from 'node:util';
import { describe, expect, expectTypeOf, it, vi } from 'vitest';
import type { AnyApiError, AnyTriforgeError } from '../../../src/errors/index.js';
import * as one from '../../../src/errors/index.js';
import { AnswerInfo } from '../../../src/transport/response/answer-info.js';

const secret = 's3cret-value';
const request = { operation: 'x.get', method: 'GET', url: 'https://a.example/x' };
const response = new AnswerInfo({
  status: 404,
  statusText: 'Not Found',
  headers: { 'set-cookie': secret, etag: '"e"' },
  url: 'https://a.example/x',
  fromCache: false,
  attempts: 1,
  credentialNames: new Set(),
});
const init = { request, response, body: { echo: secret } };
const hidden = { response, data: { echo: secret }, body: { echo: secret } };

/** One of each class, made by a copy of the module. */
function each(copy: typeof one): Record<string, Error> {
  return {
    InvalidRequestError: new copy.InvalidRequestError('m', 'field'),
    ConfigurationError: new copy.ConfigurationError('m', 'option'),
    ConnectionError: new copy.ConnectionError('m', request, true, { cause: new Error('c') }),
    TimeoutError: new copy.TimeoutError('m', request, 'total', true),
    RedirectError: new copy.RedirectError('m', request, 'loop', undefined, false),
    UnexpectedStatusError: new copy.UnexpectedStatusError('m', init),
    BadRequestError: new copy.BadRequestError('m', init),
    AuthenticationError: new copy.AuthenticationError('m', init),
    PermissionError: new copy.PermissionError('m', init),
    RateLimitError: new copy.RateLimitError('m', init, 'primary', undefined),
    NotFoundError: new copy.NotFoundError('m', init),
    ConflictError: new copy.ConflictError('m', init),
    UnprocessableError: new copy.UnprocessableError('m', init),
    ServerError: new copy.ServerError('m', init),
    OperationFailedError: new copy.OperationFailedError('m', 'why', request, hidden),
    OAuthError: new copy.OAuthError('m', 'access_denied', undefined, undefined),
    ApplianceConfigurationError: new copy.ApplianceConfigurationError('m', 'step', {}),
    ResponseShapeError: new copy.ResponseShapeError('m', request, [], hidden),
    ResponseBodyError: new copy.ResponseBodyError('m', request, 'empty', 200, { response }),
    SignatureError: new copy.SignatureError('m', 'missing'),
  };
}

/** Another copy of the module, as a second installed version would be. */
async function otherCopy(): Promise<typeof one> {
  vi.resetModules();
  return await import('../../../src/errors/index.js');
}

const names = Object.keys(each(one));

describe('instanceof', () => {
  it('holds across two copies of the package, in both directions', async () => {
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

  it("matches a user's own subclass only by its own instances", async () => {
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

  it.each([undefined, null, 1, 'x', {}, [], new Error('x'), Object.create(null)])(
    'is false for %s',
    (value) => {
      expect(value instanceof one.TriforgeError).toBe(false);
      expect(one.isTriforgeError(value)).toBe(false);
      expect(one.isApiError(value)).toBe(false);
    },
  );
});

describe('an error', () => {
  it('has a name and a code of its own', () => {
    const errors = Object.values(each(one));
    expect(errors.map(({ name }) => name)).toEqual(names);
    expect(new Set(errors.map((error) => Reflect.get(error, 'code'))).size).toBe(errors.length);
  });

  it('shows neither bodies nor answers where it is printed', () => {
    for (const error of Object.values(each(one))) {
      const shown = [inspect(error, { depth: 9 }), JSON.stringify(error), String(error)];
      for (const text of shown) expect(text).not.toContain(secret);
    }
  });

  it('gives body and answer to who asks for them', () => {
    const error = new one.NotFoundError('m', init);
    expect([error.body, error.response.status]).toEqual([{ echo: secret }, 404]);
    expect(inspect(error.response)).not.toContain(secret);
    expect(JSON.stringify(error.response)).toContain('"e');
  });
});

describe('its type', () => {
  it('narrows by code, to never at the end', () => {
    const describeError = (error: AnyTriforgeError): string => {
      switch (error.code) {
        case 'invalid_request':
          return error.field;
        case 'configuration':
          return error.option;
        case 'connection':
          return String(error.mayHaveActed);
        case 'timeout':
          return error.kind;
        case 'redirect':
          return error.reason;
        case 'rate_limit':
          expectTypeOf(error.resetAt).toEqualTypeOf<Date | undefined>();
          return error.kind;
        case 'unexpected_status':
        case 'bad_request':
        case 'authentication':
        case 'permission':
        case 'not_found':
        case 'conflict':
        case 'unprocessable':
        case 'server':
          expectTypeOf(error).toExtend<AnyApiError>();
          return String(error.status);
        case 'operation_failed':
          return error.statusMessage ?? '';
        case 'oauth':
          return error.error;
        case 'appliance_configuration':
          return error.step;
        case 'response_shape':
          return String(error.issues.length);
        case 'response_body':
          return error.problem;
        case 'signature':
          return error.problem;
        default:
          expectTypeOf(error).toBeNever();
          return 'never';
      }
    };
    for (const error of Object.values(each(one))) {
      if (!one.isTriforgeError(error)) throw new Error('not ours');
      expect(describeError(error)).not.toBe('never');
    }
  });
});
