import plain from 'ky';
import { type Answer, follow, headers, type MakePeer } from './peer.js';

export const ky: MakePeer = (base) => {
  const client = plain.create({ headers });
  return {
    pages: follow(base, async (url) => {
      const answer = await client.get<Answer<'page'>>(url);
      return { items: await answer.json(), link: answer.headers.get('link') };
    }),
    async small() {
      return (await client.get<Answer<'small'>>(`${base}teams/1`).json()).id;
    },
  };
};
