import { follow, headers, type MakePeer, type PeerResult } from './peer.js';

async function get(url: string): Promise<Response> {
  const response = await fetch(url, { headers });
  if (!response.ok) throw new Error(`${response.status}`);
  return response;
}

export const globalFetch: MakePeer = (base) => ({
  pages: follow(base, async (url) => {
    const response = await get(url);
    // `as`: the benchmark's server sends this type.
    const items = (await response.json()) as PeerResult<'page'>;
    return { items, link: response.headers.get('link') };
  }),
  async small() {
    const response = await get(`${base}teams/1`);
    return ((await response.json()) as PeerResult<'small'>).id; // `as`: the benchmark's server sends this type.
  },
});
