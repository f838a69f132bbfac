import plain from 'ky';
import { follow, headers, type MakePeer, type PeerResult } from './peer.js';

export const ky: MakePeer = (base) => {
  const client = plain.create({ headers });
  return {
    pages: follow(base, async (url) => {
      const response = await client.get<PeerResult<'page'>>(url);
      return { items: await response.json(), link: response.headers.get('link') };
    }),
    async small() {
      return (await client.get<PeerResult<'small'>>(`${base}teams/1`).json()).id;
    },
  };
};
