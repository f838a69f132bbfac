import { request } from 'undici';
import {
  type Answer,
  follow,
  followAhead,
  headers,
  look,
  type MakePeer,
  type Page,
} from './peer.js';

async function get(url: string) {
  const answer = await request(url, { headers });
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}`);
  return answer;
}

async function getPage(url: string): Promise<Page> {
  const answer = await get(url);
  // `as`: the benchmark's own server sends this type.
  const items = (await answer.body.json()) as Answer<'page'>;
  return { items, link: answer.headers.link };
}

/** A handwritten loop that requests the next page while it processes the current one. */
export const lookahead: MakePeer = (base) => ({
  ...hand(base),
  pages: followAhead(base, getPage),
});

export const hand: MakePeer = (base) => ({
  pages: follow(base, getPage),
  async search() {
    let count = 0;
    for (;;) {
      const answer = await get(`${base}contact?access_token=x&count=100&index=${count}`);
      // `as`: the benchmark's own server sends this type.
      const page = (await answer.body.json()) as { total: number; items: Answer<'page'> };
      look(page.items);
      count += page.items.length;
      if (count >= page.total) return count;
    }
  },
  async small() {
    const answer = await get(`${base}teams/1`);
    return ((await answer.body.json()) as Answer<'small'>).id; // `as`: the benchmark's own server sends this type.
  },
});
