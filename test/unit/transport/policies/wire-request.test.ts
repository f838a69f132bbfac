import { describe, expect, it } from 'vitest';
import { buildWireRequest } from '../../../../src/transport/policies/send.js';
import type { RequestSpec } from '../../../../src/transport/request/request-spec.js';
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
  const built = (more: Partial<RequestSpec> = {}) =>
    buildWireRequest({ ...spec, ...more }, undefined, true, 'triforge/x');
  const fields = (headers: readonly string[]) =>
    headers.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${headers[index + 1]}`] : []));

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
});
