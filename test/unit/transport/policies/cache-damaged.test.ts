import { describe, expect, it } from 'vitest';
import {
  computeDigest,
  createEntry,
  createStore,
  follow,
  key,
  plain,
  respond,
  url,
} from './cache-entries.js';

describe('ConditionalCache', () => {
  const whole = createEntry();
  const noText = { headers: { etag: '"a"', 'x-a': 5 } };
  it.each<[string, unknown]>([
    ['a string instead of an object', 'entry'],
    ['a number instead of an object', 0],
    ['a function instead of an object', Object.assign(() => undefined, whole)],
    ['missing properties', {}],
    ["a URL that isn't a string", createEntry({ url: 5 })],
    ["a status text that isn't a string", createEntry({ statusText: 5 })],
    ['a missing status text', createEntry({ statusText: undefined })],
    ['headers that are a string', createEntry({ headers: 'ab' })],
    ['headers that are null', createEntry({ headers: null })],
    ['missing headers', createEntry({ headers: undefined })],
    ['a header that is a number', createEntry(noText)],
    ['a header that is null', createEntry({ headers: { etag: '"a"', 'x-a': null } })],
    ['a header list of one number', createEntry({ headers: { etag: '"a"', 'x-a': [5] } })],
    [
      'a header list that contains a number',
      createEntry({ headers: { etag: '"a"', 'x-a': ['a', 5] } }),
    ],
    ['a body that is an array', createEntry({ body: [123, 125] })],
    ['a missing body', createEntry({ body: undefined })],
    ['an ETag with a line break', createEntry({ headers: { etag: '"a"\r\nx-evil: 1' } })],
    [
      'a date with a character outside Latin-1',
      createEntry({ headers: { 'last-modified': 'thén\u0100' } }),
    ],
    ['a missing digest', { ...whole, digest: undefined }],
    ['a wrong digest', { ...whole, digest: computeDigest({}) }],
    ['a changed body', { ...whole, body: new Uint8Array(Buffer.from('{"evil":1}')) }],
    ['a changed URL', { ...whole, url: `${url}0` }],
    ['a changed status text', { ...whole, statusText: 'OK' }],
    [
      'a changed header',
      { ...whole, headers: { etag: '"b"', 'content-type': 'application/json' } },
    ],
  ])('the cache deletes an entry because of %s', async (_title, found) => {
    const store = createStore(found);
    const { fromCache, sent } = await follow(store, respond({ etag: '"c"' }));
    expect(sent, 'the sent headers').toEqual([plain]);
    expect(fromCache).toBe(false);
    expect(store.delete).toHaveBeenCalledExactlyOnceWith(key);
  });

  it.each([undefined, null])(
    'the cache treats an entry as missing if the store returns %s',
    async (found) => {
      const store = createStore(found);
      const { sent } = await follow(store, respond({ etag: '"c"' }));
      expect(sent).toEqual([plain]);
      expect(store.delete).not.toHaveBeenCalled();
    },
  );

  it('the cache treats an entry as missing if the store throws', async () => {
    const store = createStore(undefined);
    store.get.mockImplementation(() => {
      throw new Error('not open');
    });
    const { sent } = await follow(store, respond({ etag: '"c"' }));
    expect(sent).toEqual([plain]);
    expect(store.delete).not.toHaveBeenCalled();
  });
});
