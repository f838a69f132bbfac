import * as z from 'zod/mini';
import { fields } from '../../schema/fields.js';
import { model } from '../../schema/model.js';

/** Organization that a team belongs to. */
export interface TeamOrganization {
  /** Login of the organization, unique on the server. */
  login: string;
  /** Numeric ID. Stays the same when the organization is renamed. */
  id: number;
  /** API URL of the organization. */
  url: string;
  /** URL of the organization's avatar. Null if there is none. */
  avatar_url: string | null;
}

export const TeamOrganization = model<TeamOrganization>()('TeamOrganization', () => ({
  ...fields(z.string, 'login url'),
  avatar_url: z.nullable(z.string()),
  id: z.int(),
}));
