import * as z from 'zod/mini';
import { fields } from '../../schema/fields.js';
import { model, openEnum, ref } from '../../schema/model.js';
import { TeamOrganization } from './organization.js';

/** A team as lists give it. */
export interface TeamSummary {
  /** API URL of the team. */
  url: string;
  /** The team's display name. */
  name: string;
  /** Numeric id, as `teams.get({ id })` takes it. */
  id: number;
  /** The name as it stands in web addresses. Most servers send it. */
  slug?: string | null | undefined;
  /** What members may do in the team's repositories. Sent by most servers in summaries too. */
  permission?: 'pull' | 'push' | 'admin' | (string & {}) | null | undefined;
}

/** A team as a single read, a write, and `teams.listMine` give it. */
export interface Team extends TeamSummary {
  /** Number of members. A server may leave it out of the response of a write. */
  members_count?: number | null | undefined;
  /** Number of repositories. A server may leave it out of the response of a write. */
  repos_count?: number | null | undefined;
  /** The organization that the team belongs to. Absent on servers of 2012. */
  organization?: TeamOrganization | null | undefined;
}

const summary = () => ({
  ...fields(z.string, 'url name'),
  id: z.int(),
  slug: z.nullish(z.string()),
  permission: z.nullish(openEnum('pull', 'push', 'admin')),
});

export const TeamSummary = model<TeamSummary>()('TeamSummary', summary);

export const Team = model<Team>()('Team', () => ({
  ...summary(),
  ...fields(() => z.nullish(z.int()), 'members_count repos_count'),
  organization: z.nullish(ref(TeamOrganization)),
}));
