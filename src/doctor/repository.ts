import type { HostingClient, Paginated } from '../hosting/index.js';
import type { IsHarmless } from './server.js';

interface Candidate {
  readonly name: string;
  /** Sum of open issues, stars and forks. An active repository has data for most endpoints. */
  readonly activity: number;
}

/**
 * Returns the `owner/name` of the most active repository among those that the user owns, has
 * starred, or can access through the user's first team. Undefined if the server lists no
 * repository.
 * @param isHarmless returns whether the report may contain a name. A server can echo credentials in
 * names.
 */
export async function chooseRepository(
  client: HostingClient,
  isHarmless: IsHarmless,
): Promise<string | undefined> {
  const sources: readonly (() => Promise<unknown>)[] = [
    () => firstPage(client.paginate<unknown>({ path: '/user/repos' })),
    () => firstPage(client.starring.listStarred()),
    async () => {
      const team = await client.teams.listMine().first();
      return team && firstPage(client.teams.listRepos({ id: team.id }));
    },
  ];
  const candidates: Candidate[] = [];
  for (const list of sources) {
    // Ignore failures, because the endpoint of a failed list is called again and reported.
    const found = await list().catch(() => undefined);
    if (Array.isArray(found)) candidates.push(...found.flatMap(parseCandidate));
  }
  candidates.sort((one, other) => other.activity - one.activity);
  return candidates.find(({ name }) => isHarmless(name))?.name;
}

async function firstPage<Item>(list: Paginated<Item>): Promise<readonly Item[]> {
  for await (const { items } of list.pages()) return items;
  return [];
}

function parseCandidate(repository: unknown): Candidate[] {
  const fields: Record<string, unknown> = Object(repository);
  const { full_name: name } = fields;
  if (typeof name !== 'string' || !/^[^/]+\/[^/]+$/.test(name)) return [];
  const counts = [fields.open_issues_count, fields.stargazers_count, fields.forks_count];
  const activity = counts.reduce<number>((sum, count) => sum + (Number(count) || 0), 0);
  return [{ name, activity }];
}
