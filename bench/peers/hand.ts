import { request } from 'undici';
import { type Answer, follow, headers, type MakePeer } from './peer.js';

async function get(url: string) {
  const answer = await request(url, { headers });
  if (answer.statusCode !== 200) throw new Error(`${answer.statusCode}`);
  return answer;
}

export const hand: MakePeer = (base) => ({
  pages: follow(base, async (url) => {
    const answer = await get(url);
    // The server is our own.
    const items = (await answer.body.json()) as Answer<'page'>;
    return { items, link: answer.headers.link };
  }),
  async small() {
    const answer = await get(`${base}teams/1`);
    return ((await answer.body.json()) as Answer<'small'>).id; // the server is our own
  },
});
