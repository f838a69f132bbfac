import { HostingClient } from 'triforge/hosting';
import type { MakePeer } from './peer.js';

export const triforge: MakePeer = (baseUrl) => {
  const client = new HostingClient({ baseUrl, auth: { type: 'token', token: 'x'.repeat(40) } });
  type Options = { readonly concurrency?: number | undefined };
  const lists = {
    users: (options: Options) =>
      client.starring.listStargazers({ owner: 'a', repo: 'b', per_page: 100 }, options),
    repos: (options: Options) =>
      client.starring.listStarredBy({ username: 'a', per_page: 100 }, options),
    pulls: (options: Options) =>
      client.pulls.list({ owner: 'a', repo: 'b', per_page: 100 }, options),
  };
  return {
    async pages(kind, work, concurrency) {
      let count = 0;
      for await (const item of lists[kind]({ concurrency })) {
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
