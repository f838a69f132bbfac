import { Agent } from 'node:http';
import plain from 'axios';
import { type Answer, follow, headers, type MakePeer } from './peer.js';

export const axios: MakePeer = (base) => {
  const client = plain.create({
    baseURL: base,
    headers,
    httpAgent: new Agent({ keepAlive: true }),
    adapter: 'http',
  });
  return {
    pages: follow(base, async (url) => {
      const answer = await client.get<Answer<'page'>>(url);
      return { items: answer.data, link: answer.headers.link };
    }),
    async small() {
      return (await client.get<Answer<'small'>>('teams/1')).data.id;
    },
  };
};
