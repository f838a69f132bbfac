import { describe, expect, it } from 'vitest';
import {
  type CameFrom,
  conditional,
  createEntry,
  createStore,
  failed,
  follow,
  key,
  plain,
  respond,
} from './cache-entries.js';
import { spec } from './cached-spec.js';

describe('ConditionalCache', () => {
  it.each<[string, Record<string, string>, string | undefined]>([
    ['the same ETag', { etag: '"a"' }, '"a"'],
    ['no ETag', { etag: '"a"' }, undefined],
    ['the weak form of the ETag', { etag: '"a"' }, 'W/"a"'],
    ['the strong form of a weak ETag', { etag: 'W/"a"' }, '"a"'],
    ['an ETag if the entry has only a date', { 'last-modified': 'then' }, '"a"'],
  ])('the cache serves the stored response after a 304 with %s', async (_title, headers, etag) => {
    const store = createStore(createEntry({ headers }));
    const { fromCache } = await follow(store, respond({ etag }, 304));
    expect(fromCache).toBe(true);
    expect(store.delete).not.toHaveBeenCalled();
  });

  it.each<[string, string, CameFrom]>([
    ['with a different ETag', '"a"', respond({ etag: '"b"' }, 304)],
    ['with an ETag without an inner `W/`', '"aW/b"', respond({ etag: '"ab"' }, 304)],
    [
      'for a different URL',
      '"a"',
      respond({}, 304, { target: { ...spec.target, path: '/api/v3/other' } }),
    ],
    ['from an untrusted origin', '"a"', respond({}, 304, { trusted: false })],
  ])(
    'the cache repeats the request without conditions after a 304 %s',
    async (_title, etag, first) => {
      const store = createStore(createEntry({ headers: { etag } }));
      const { keep, response, sent } = await follow(store, first, respond({ etag: '"n"' }));
      expect(sent).toEqual([conditional('if-none-match', etag), plain]);
      expect(store.delete).toHaveBeenCalledExactlyOnceWith(key);
      expect(response).toMatchObject({ body: Buffer.from('{"new":1}') });
      await keep?.();
      expect(store.set).toHaveBeenCalledOnce();
    },
  );

  it('the cache replaces the stored response after a 200', async () => {
    const store = createStore(createEntry());
    const { fromCache, keep } = await follow(store, respond({ etag: '"n"' }));
    expect(fromCache).toBe(false);
    await keep?.();
    expect(store.set).toHaveBeenCalledExactlyOnceWith(
      key,
      expect.objectContaining({ headers: { etag: '"n"' } }),
    );
    expect(store.delete).not.toHaveBeenCalled();
  });

  it('the cache keeps the stored response after a failed request', async () => {
    const store = createStore(createEntry());
    expect((await follow(store, failed)).response).toBe(failed.response);
    expect(store.delete).not.toHaveBeenCalled();
  });
});
