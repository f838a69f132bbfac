import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import type { RawHeaders } from '../../../../src/transport/http/headers.js';
import { createDetails } from './create-details.js';

const infoOf = (headers: RawHeaders) =>
  createDetails({ headers, url: 'https://a.example/api/x?page=1' });

describe('a response', () => {
  it("a response's links are absolute and contain no credentials", () => {
    const link =
      '<?page=2&access_token=x>; rel="next", <https://b.example/y>; rel="last first"; title="a, b"';
    expect({ ...infoOf({ link }).links }).toEqual({
      next: 'https://a.example/api/x?page=2',
      last: 'https://b.example/y',
      first: 'https://b.example/y',
    });
    expect({ ...infoOf({}).links }).toEqual({});
  });

  it.each([
    [{}, { granted: undefined, accepted: undefined }],
    [{ 'x-oauth-scopes': '' }, { granted: [], accepted: undefined }],
    [
      { 'x-oauth-scopes': 'repo, gist', 'x-accepted-oauth-scopes': 'user' },
      { granted: ['repo', 'gist'], accepted: ['user'] },
    ],
  ])('maps the headers %j to the scopes %j', (headers, scopes) => {
    expect(infoOf(headers).scopes).toEqual(scopes);
  });

  const limits = { 'x-ratelimit-limit': '60', 'x-ratelimit-remaining': '59' };
  it.each([
    [{}, undefined],
    [{ ...limits, 'x-ratelimit-remaining': '-1' }, undefined],
    [{ ...limits, 'x-ratelimit-limit': '6e1' }, undefined],
    [limits, { limit: 60, remaining: 59, reset: undefined, resource: undefined }],
    [{ ...limits, 'x-ratelimit-reset': 'soon' }, { reset: undefined }],
    [
      { ...limits, 'x-ratelimit-reset': '1700000000', 'x-ratelimit-resource': 'search' },
      { reset: new Date(1_700_000_000_000), resource: 'search' },
    ],
  ])('maps the headers %j to the rate limit %j', (headers, rateLimit) => {
    const seen = infoOf(headers).rateLimit;
    if (rateLimit === undefined) expect(seen).toBeUndefined();
    else expect(seen).toMatchObject(rateLimit);
  });

  it.each([
    ['x-request-id', 'a'],
    ['x-service-request-id', 'b'],
  ])('reads the request ID from %s', (name, id) => {
    expect(infoOf({ [name]: id }).requestId).toBe(id);
    expect(infoOf({ 'x-other': id }).requestId).toBeUndefined();
  });

  const echoing = {
    statusText: 'OK for s3cret',
    url: 'https://a.example/x/s3cret?page=1',
    fromCache: true,
    attempts: 2,
    headers: { server: 's3cret', 'x-request-id': 'of s3cret' },
  };
  const shown = {
    status: 200,
    statusText: 'OK for ***',
    url: 'https://a.example/x/***?page=1',
    requestId: 'of ***',
    fromCache: true,
    attempts: 2,
  };
  it('a printed response masks echoed secrets', () => {
    const info = createDetails({ ...echoing, secrets: ['s3cret'] });
    expect(JSON.parse(JSON.stringify(info))).toEqual(shown);
    expect(inspect(info)).toBe(inspect(shown));
  });
});
