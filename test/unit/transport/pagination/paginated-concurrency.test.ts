import { expect, it } from 'vitest';
import { ListPage } from '../../../../src/transport/pagination/page-walker.js';
import { Paginated } from '../../../../src/transport/pagination/paginated.js';
import { turns } from '../../../support/client.js';
import { createDetails } from '../response/create-details.js';
import { listed } from './manual-pages.js';

it('toArray() with a limit prefetches pages if concurrency is above 1', async () => {
  const { pages, list } = listed({ concurrency: 3 });
  void list.toArray({ limit: 4 });
  pages.latest.give([11], { next: '2', end: 9, size: 1 });
  await turns(3);
  expect(pages.cursors).toEqual([undefined, '2', '3', '4']);
});

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
