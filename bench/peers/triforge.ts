import { HostingClient } from 'triforge/hosting';
import type { MakePeer } from './peer.js';

export const triforge: MakePeer = (baseUrl) => {
  const client = new HostingClient({ baseUrl, auth: { type: 'token', token: 'x'.repeat(40) } });
  const lists = {
    users: () => client.starring.listStargazers({ owner: 'a', repo: 'b', per_page: 100 }),
    repos: () => client.starring.listStarredBy({ username: 'a', per_page: 100 }),
    pulls: () => client.pulls.list({ owner: 'a', repo: 'b', per_page: 100 }),
  };
  return {
    async pages(kind, work) {
      let count = 0;
      for await (const item of lists[kind]()) {
        if ((item.id ?? 0) > 0) count += 1;
        if (work !== undefined && count % 100 === 0) await work();
      }
      return count;
    },
    async small() {
      return (await client.teams.get({ id: 1 })).id;
    },
  };
};
