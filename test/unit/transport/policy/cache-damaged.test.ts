import { describe, expect, it } from 'vitest';
import { answer, digestOf, entryOf, follow, key, plain, storeOf, url } from './cache-entries.js';

describe('a damaged cache entry is rejected and deleted', () => {
  const whole = entryOf();
  const noText = { headers: { etag: '"a"', 'x-a': 5 } };
  it.each<[string, unknown]>([
    ['a text', 'entry'],
    ['a number', 0],
    ['a function', Object.assign(() => undefined, whole)],
    ['an empty object', {}],
    ['a URL that is no text', entryOf({ url: 5 })],
    ['a status text that is no text', entryOf({ statusText: 5 })],
    ['no status text', entryOf({ statusText: undefined })],
    ['header fields that are a text', entryOf({ headers: 'ab' })],
    ['header fields that are null', entryOf({ headers: null })],
    ['no header fields', entryOf({ headers: undefined })],
    ['a field that is a number', entryOf(noText)],
    ['a field that is null', entryOf({ headers: { etag: '"a"', 'x-a': null } })],
    ['a list that holds a number', entryOf({ headers: { etag: '"a"', 'x-a': [5] } })],
    ['a list that holds one number', entryOf({ headers: { etag: '"a"', 'x-a': ['a', 5] } })],
    ['a body that is a list', entryOf({ body: [123, 125] })],
    ['no body', entryOf({ body: undefined })],
    ['an ETag that splits the request', entryOf({ headers: { etag: '"a"\r\nx-evil: 1' } })],
    ['a date beyond latin1', entryOf({ headers: { 'last-modified': 'thén\u0100' } })],
    ['no digest', { ...whole, digest: undefined }],
    ['another digest', { ...whole, digest: digestOf({}) }],
    ['another body', { ...whole, body: new Uint8Array(Buffer.from('{"evil":1}')) }],
    ['another URL', { ...whole, url: `${url}0` }],
    ['another status text', { ...whole, statusText: 'OK' }],
    ['another field', { ...whole, headers: { etag: '"b"', 'content-type': 'application/json' } }],
  ])('%s', async (_title, found) => {
    const store = storeOf(found);
    const { fromCache, sent } = await follow(store, answer({ etag: '"c"' }));
    expect(sent, 'the header fields sent').toEqual([plain]);
    expect(fromCache).toBe(false);
    expect(store.delete).toHaveBeenCalledExactlyOnceWith(key);
  });

  it.each([undefined, null])('but %s counts as a miss', async (found) => {
    const store = storeOf(found);
    const { sent } = await follow(store, answer({ etag: '"c"' }));
    expect(sent).toEqual([plain]);
    expect(store.delete).not.toHaveBeenCalled();
  });

  it('and a store that throws counts as a miss', async () => {
    const store = storeOf(undefined);
    store.get.mockImplementation(() => {
      throw new Error('not open');
    });
    const { sent } = await follow(store, answer({ etag: '"c"' }));
    expect(sent).toEqual([plain]);
    expect(store.delete).not.toHaveBeenCalled();
  });
});
