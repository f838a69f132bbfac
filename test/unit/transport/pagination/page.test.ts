import { describe, expect, it } from 'vitest';
import { ListPage } from '../../../../src/transport/pagination/page-walker.js';
import { createDetails } from '../response/create-details.js';

describe('ListPage', () => {
  it('a list page exposes the links of its response', () => {
    const response = createDetails({ headers: { link: '<https://a.example/x?page=2>; rel=next' } });
    const page = new ListPage(['a'], response, 'c', 7);
    expect(page).toMatchObject({ items: ['a'], cursor: 'c', total: 7 });
    expect(page.response).toBe(response);
    expect({ ...page.links }).toEqual({ next: 'https://a.example/x?page=2' });
  });

  it('a list page leaves `total` undefined if the server sends no total', () => {
    expect(new ListPage([], createDetails(), undefined)).toMatchObject({
      items: [],
      cursor: undefined,
      total: undefined,
    });
  });
});
