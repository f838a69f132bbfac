import { Agent } from 'node:http';
import plain from 'axios';
import { follow, headers, type MakePeer, type PeerResult } from './peer.js';

export const axios: MakePeer = (base) => {
  const client = plain.create({
    baseURL: base,
    headers,
    httpAgent: new Agent({ keepAlive: true }),
    adapter: 'http',
  });
  return {
    pages: follow(base, async (url) => {
      const response = await client.get<PeerResult<'page'>>(url);
      return { items: response.data, link: response.headers.link };
    }),
    async small() {
      return (await client.get<PeerResult<'small'>>('teams/1')).data.id;
    },
  };
};
