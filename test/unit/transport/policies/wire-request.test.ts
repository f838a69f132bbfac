import { describe, expect, it } from 'vitest';
import { buildWireRequest } from '../../../../src/transport/policies/send.js';
import type { Credentials } from '../../../../src/transport/request/credentials.js';
import { parseTarget, type RequestSpec } from '../../../../src/transport/request/request-spec.js';
import { spec as kept } from './cached-spec.js';

describe('buildWireRequest()', () => {
  const spec: RequestSpec = {
    ...kept,
    method: 'PUT',
    target: { origin: 'https://a.example', path: '/api/v3/r/o/c/a/b' },
    headers: [],
    body: { kind: 'json', text: '{}' },
  };
  /** Builds the request with the specified changes. */
  const built = (more: Partial<RequestSpec> = {}, credentials?: Credentials, trusted = true) =>
    buildWireRequest({ ...spec, ...more }, credentials, trusted, 'triforge/x');
  const fields = (headers: readonly string[]) =>
    headers.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${headers[index + 1]}`] : []));
  const credentials = {
    headers: { authorization: 'x' },
    parameters: 'a=1',
    parametersIn: 'form_or_query',
    secrets: [],
    fingerprint: '',
  } as const;

  it('sets the default User-Agent, Accept-Encoding and Accept headers', () => {
    expect(fields(built().headers)).toEqual([
      'user-agent: triforge/x',
      'accept-encoding: gzip, br',
      'accept: application/json',
      'content-type: application/json; charset=utf-8',
    ]);
  });

  it("uses the caller's headers instead of the defaults", () => {
    const headers = [
      ['accept', 'a/b'],
      ['user-agent', 'me'],
      ['accept-encoding', 'identity'],
      ['content-type', 'c/d'],
      ['x-e', 'content-type'],
    ] as const;
    expect(fields(built({ headers }).headers)).toEqual([
      'user-agent: me',
      'accept-encoding: identity',
      'accept: a/b',
      'content-type: c/d',
      'x-e: content-type',
    ]);
    const other = fields(built({ headers: [['x-e', 'f']] }).headers);
    expect(other).toEqual(expect.arrayContaining(['x-e: f', 'accept: application/json']));
    expect(fields(built({ headers: [['x-e', 'content-type']] }).headers)).toContain(
      'content-type: application/json; charset=utf-8',
    );
  });

  it('adds credential parameters to a form body if the scheme allows it', () => {
    expect(built({}, credentials).path).toBe('/api/v3/r/o/c/a/b?a=1');
    const target = parseTarget(new URL('https://a.example/x?y=1'));
    expect(built({ target }, credentials).path).toBe('/x?y=1&a=1');
    const text = built({ body: { kind: 'form', text: 'b=2' } }, credentials);
    expect([text.path, text.body]).toEqual([
      '/api/v3/r/o/c/a/b',
      { kind: 'form', text: 'b=2&a=1' },
    ]);
    const empty = built({ body: { kind: 'form', text: '' } }, credentials);
    expect(empty.body).toEqual({ kind: 'form', text: 'a=1' });
    const query = { ...credentials, parametersIn: 'query' } as const;
    expect(built({ body: { kind: 'form', text: '' } }, query).path).toContain('?a=1');
  });

  it("sends an untrusted origin neither credentials nor the caller's custom headers", () => {
    const headers = [
      ['x-private', 'mine'],
      ['authorization', 'mine'],
      ['cookie', 'mine'],
      ['user-agent', 'mine'],
      ['accept', 'a/b'],
      ['range', 'bytes=0-1'],
    ] as const;
    const foreign = built({ headers, body: undefined }, undefined, false);
    expect(fields(foreign.headers)).toEqual([
      'user-agent: triforge/x',
      'accept-encoding: gzip, br',
      'accept: a/b',
      'range: bytes=0-1',
    ]);
  });
});
