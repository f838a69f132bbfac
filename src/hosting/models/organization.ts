import * as z from 'zod';
import { type Model, model } from '../../schema/model.js';

/** The organization of a team. */
export interface TeamOrganization {
  /** The organization's name, unique on the server. */
  login: string;
  /** Numeric id, stable when the organization is renamed. */
  id: number;
  /** API URL of the organization. */
  url: string;
  /** URL of the organization's picture. */
  avatar_url: string;
}

export const TeamOrganization: Model<TeamOrganization> = model<TeamOrganization>()(
  'TeamOrganization',
  () => ({
    login: z.string(),
    id: z.int(),
    url: z.string(),
    avatar_url: z.string(),
  }),
);
