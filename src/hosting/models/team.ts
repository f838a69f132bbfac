import * as z from 'zod/mini';
import { fields } from '../../schema/fields.js';
import { model, openEnum, ref } from '../../schema/model.js';
import { TeamOrganization } from './organization.js';

/** Team as returned in lists. */
export interface TeamSummary {
  /** API URL of the team. */
  url: string;
  /** Display name of the team. */
  name: string;
  /** Numeric ID, as passed to `teams.get({ id })`. */
  id: number;
  /** Name of the team in URLs. Sent by most servers. */
  slug?: string | null | undefined;
  /** Access that members have to the team's repositories. Most servers send it in summaries too. */
  permission?: 'pull' | 'push' | 'admin' | (string & {}) | null | undefined;
}

/** Full team, as returned by `teams.get`, `create`, `update` and `listMine`. */
export interface Team extends TeamSummary {
  /** Number of members. A server may omit it in the response to a write. */
  members_count?: number | null | undefined;
  /** Number of repositories. A server may omit it in the response to a write. */
  repos_count?: number | null | undefined;
  /** Organization that the team belongs to. Absent on 2012-era servers. */
  organization?: TeamOrganization | null | undefined;
}

const teamFields = () => ({
  ...fields(z.string, 'url name'),
  id: z.int(),
  slug: z.nullish(z.string()),
  permission: z.nullish(openEnum('pull', 'push', 'admin')),
});

export const TeamSummary = model<TeamSummary>()('TeamSummary', teamFields);

export const Team = model<Team>()('Team', () => ({
  ...teamFields(),
  ...fields(() => z.nullish(z.int()), 'members_count repos_count'),
  organization: z.nullish(ref(TeamOrganization)),
}));
