import { expect, it } from 'vitest';
import { ListPage } from '../../../../src/transport/pagination/page-walker.js';
import { Paginated } from '../../../../src/transport/pagination/paginated.js';
import { createDetails } from '../response/create-details.js';

it('toArray() fetches one page at a time if later pages are unknown', async () => {
  const list = new Paginated(
    () => ({
      fetch: async (cursor = '1') => ({
        page: new ListPage([cursor], createDetails(), cursor === '1' ? '2' : undefined),
      }),
    }),
    { concurrency: 3 },
  );
  expect(await list.toArray()).toEqual(['1', '2']);
});
