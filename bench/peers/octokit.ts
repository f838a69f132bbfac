import { Octokit } from '@octokit/rest';
import { look, type MakePeer } from './peer.js';

export const octokit: MakePeer = (base) => {
  const client = new Octokit({
    auth: 'x'.repeat(40),
    baseUrl: base.replace(/\/$/, ''),
    userAgent: 'bench',
  });
  const { paginate, rest } = client;
  const lists = {
    users: () =>
      paginate.iterator(rest.activity.listStargazersForRepo, {
        owner: 'a',
        repo: 'b',
        per_page: 100,
      }),
    repos: () =>
      paginate.iterator(rest.activity.listReposStarredByUser, { username: 'a', per_page: 100 }),
    pulls: () => paginate.iterator(rest.pulls.list, { owner: 'a', repo: 'b', per_page: 100 }),
  };
  return {
    async pages(kind, work) {
      let count = 0;
      for await (const page of lists[kind]()) {
        // `as`: the declared type also includes the response for another media type, which has `starred_at`.
        count += look(page.data as readonly { id: number }[]);
        await work?.();
      }
      return count;
    },
    async small() {
      const { data } = await client.request('GET /teams/{team_id}', { team_id: 1 });
      return data.id;
    },
  };
};
