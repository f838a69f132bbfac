import { request } from 'undici';
import { follow, followAhead, headers, type MakePeer, type Page, type PeerResult } from './peer.js';

async function get(url: string) {
  const response = await request(url, { headers });
  if (response.statusCode !== 200) throw new Error(`${response.statusCode}`);
  return response;
}

async function getPage(url: string): Promise<Page> {
  const response = await get(url);
  // `as`: the benchmark's server sends this type.
  const items = (await response.body.json()) as PeerResult<'page'>;
  return { items, link: response.headers.link };
}

/** A handwritten loop that requests the next page while it processes the current page. */
export const lookahead: MakePeer = (base) => ({
  ...hand(base),
  pages: followAhead(base, getPage),
});

export const hand: MakePeer = (base) => ({
  pages: follow(base, getPage),
  async small() {
    const response = await get(`${base}teams/1`);
    return ((await response.body.json()) as PeerResult<'small'>).id; // `as`: the benchmark's server sends this type.
  },
});
