import * as z from 'zod';
import { type Model, model, openEnum, ref } from '../../model.js';
import { TeamOrganization } from './organization.js';

/** A team as lists give it (contract section "Team", summary). */
export interface TeamSummary {
  /** API URL of the team. */
  url: string;
  /** The team's display name. */
  name: string;
  /** Numeric id, as `teams.get({ id })` takes it. */
  id: number;
  /** The name as it stands in web addresses. Not in the contract; most servers send it. */
  slug?: string | undefined;
  /** What members may do in the team's repositories. Sent by most servers in summaries too. */
  permission?: 'pull' | 'push' | 'admin' | (string & {}) | undefined;
}

/** A team as a single read, a write, and `teams.listMine` give it (contract section "Team"). */
export interface Team extends TeamSummary {
  /** Number of members. */
  members_count: number;
  /** Number of repositories. */
  repos_count: number;
  /** The organization that the team belongs to. Absent on servers of 2012. */
  organization?: TeamOrganization | undefined;
}

const summary = () => ({
  url: z.string(),
  name: z.string(),
  id: z.int(),
  slug: z.optional(z.string()),
  permission: z.optional(openEnum('pull', 'push', 'admin')),
});

export const TeamSummary: Model<TeamSummary> = model<TeamSummary>()('TeamSummary', summary);

export const Team: Model<Team> = model<Team>()('Team', () => ({
  ...summary(),
  members_count: z.int(),
  repos_count: z.int(),
  organization: z.optional(ref(TeamOrganization)),
}));
