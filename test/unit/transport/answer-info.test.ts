import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { AnswerInfo } from '../../../src/transport/answer-info.js';
import { callOf, type ResponseHolder } from '../../../src/transport/call.js';
import { parseLinkHeader } from '../../../src/transport/link-header.js';
import { AnsweredPage } from '../../../src/transport/page.js';
import type { RawHeaders } from '../../../src/transport/raw-response.js';

function infoOf(headers: RawHeaders, secrets?: readonly string[]): AnswerInfo {
  return new AnswerInfo({
    status: 200,
    statusText: 'OK for s3cret',
    headers,
    url: 'https://a.example/x/s3cret?page=1',
    fromCache: true,
    attempts: 2,
    credentialNames: new Set(),
    secrets,
  });
}

const link = '<https://a.example/x?page=2>; rel=next';

describe('the facts of an answer', () => {
  it('are worked out once', () => {
    const info = infoOf({ link });
    expect(info.headers).toBe(info.headers);
    expect(info.links).toBe(info.links);
  });

  it('hold a URL that is made once, when it is asked for', () => {
    let made = 0;
    const info = new AnswerInfo({
      status: 204,
      statusText: '',
      headers: {},
      url: () => `https://a.example/${++made}`,
      fromCache: false,
      attempts: 1,
      credentialNames: new Set(),
    });
    expect(made).toBe(0);
    expect([info.url, info.url]).toEqual(['https://a.example/1', 'https://a.example/1']);
  });

  it.each(['a-x-request-id', 'x-request-id-2', 'x-a1-request-id', 'undefined'])(
    'take no other field for the id of the request: %s',
    (name) => {
      expect(infoOf({ [name]: 'other' }).requestId).toBeUndefined();
      expect(infoOf({ [name]: 'other', 'x-request-id': 'own' }).requestId).toBe('own');
    },
  );

  const shown = {
    status: 200,
    statusText: 'OK for ***',
    url: 'https://a.example/x/***?page=1',
    fromCache: true,
    attempts: 2,
    headers: { server: '***', 'x-unknown': '***' },
  };
  it('are printed without the secrets that the server echoes', () => {
    const info = infoOf({ server: 's3cret', 'x-unknown': 'y' }, ['s3cret']);
    expect(JSON.parse(JSON.stringify(info))).toEqual(shown);
    expect(inspect(info)).toBe(inspect(shown));
  });

  it('are printed as they are where nothing is secret', () => {
    expect(infoOf({ server: 's3cret' }).toJSON()).toEqual({
      ...shown,
      statusText: 'OK for s3cret',
      url: 'https://a.example/x/s3cret?page=1',
      headers: { server: 's3cret' },
    });
  });
});

describe('a Link header', () => {
  it('may hold a parameter without a value before the relation', () => {
    expect({ ...parseLinkHeader('<a>; flag; rel=next, <b>; flag ;rel=last') }).toEqual({
      next: 'a',
      last: 'b',
    });
  });
});

describe('a page', () => {
  it('has the links of its answer', () => {
    const response = infoOf({ link });
    const page = new AnsweredPage(['a'], response, 'c', 7);
    expect(page).toMatchObject({ items: ['a'], cursor: 'c', total: 7 });
    expect(page.response).toBe(response);
    expect({ ...page.links }).toEqual({ next: 'https://a.example/x?page=2' });
  });

  it('knows no total where the server says none', () => {
    expect(new AnsweredPage([], infoOf({}), undefined)).toMatchObject({
      items: [],
      cursor: undefined,
      total: undefined,
    });
  });
});

describe('the promise of a call', () => {
  it('is the promise that runs, and gives the answer too', async () => {
    const running = Promise.resolve('data');
    const holder: ResponseHolder = { response: undefined };
    const call = callOf(running, holder);
    expect(call).toBe(running);
    // The answer is known only later, as in the pipeline.
    holder.response = infoOf({});
    const result = await call.withResponse();
    expect(Object.keys(result)).toEqual(['data', 'response']);
    expect(result.data).toBe('data');
    expect(result.response).toBe(holder.response);
  });

  it('fails in both ways with the same error', async () => {
    const error = new Error('failed');
    const call = callOf(Promise.reject(error), { response: undefined });
    await expect(call.withResponse()).rejects.toBe(error);
    await expect(call).rejects.toBe(error);
  });

  it('does not pretend an answer', async () => {
    const { withResponse } = callOf(Promise.resolve(1), { response: undefined });
    await expect(withResponse()).rejects.toStrictEqual(
      new TypeError('a result came without an answer'),
    );
  });
});
