import { describe, expect, it } from 'vitest';
import { ListPage } from '../../../../src/transport/pagination/page.js';
import { answered } from '../response/answered.js';

describe('a page', () => {
  it('has the links of its response', () => {
    const response = answered({ headers: { link: '<https://a.example/x?page=2>; rel=next' } });
    const page = new ListPage(['a'], response, 'c', 7);
    expect(page).toMatchObject({ items: ['a'], cursor: 'c', total: 7 });
    expect(page.response).toBe(response);
    expect({ ...page.links }).toEqual({ next: 'https://a.example/x?page=2' });
  });

  it('has no total if the server sends none', () => {
    expect(new ListPage([], answered(), undefined)).toMatchObject({
      items: [],
      cursor: undefined,
      total: undefined,
    });
  });
});
