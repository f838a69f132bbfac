import { Agent } from 'node:http';
import { got as plain } from 'got';
import { headers, type MakePeer, type PeerResult, paths } from './peer.js';

export const got: MakePeer = (base) => {
  const client = plain.extend({
    prefixUrl: base,
    headers,
    responseType: 'json',
    agent: { http: new Agent({ keepAlive: true }) },
  });
  return {
    async pages(kind, work) {
      let count = 0;
      const items = client.paginate.each<{ id: number }, PeerResult<'page'>>(paths[kind], {
        pagination: { transform: (response) => [...response.body] },
      });
      for await (const item of items) {
        if (item.id > 0) count += 1;
        if (work !== undefined && count % 100 === 0) await work();
      }
      return count;
    },
    async small() {
      return (await client.get<PeerResult<'small'>>('teams/1')).body.id;
    },
  };
};
