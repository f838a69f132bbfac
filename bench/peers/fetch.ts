import { type Answer, follow, headers, type MakePeer } from './peer.js';

async function get(url: string): Promise<Response> {
  const answer = await fetch(url, { headers });
  if (!answer.ok) throw new Error(`${answer.status}`);
  return answer;
}

export const globalFetch: MakePeer = (base) => ({
  pages: follow(base, async (url) => {
    const answer = await get(url);
    // `as`: the benchmark's own server sends this type.
    const items = (await answer.json()) as Answer<'page'>;
    return { items, link: answer.headers.get('link') };
  }),
  async small() {
    const answer = await get(`${base}teams/1`);
    return ((await answer.json()) as Answer<'small'>).id; // `as`: the benchmark's own server sends this type.
  },
});
