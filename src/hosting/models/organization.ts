import * as z from 'zod/mini';
import { fields } from '../../schema/fields.js';
import { model } from '../../schema/model.js';

/** The organization of a team. */
export interface TeamOrganization {
  /** The organization's name, unique on the server. */
  login: string;
  /** Numeric id, stable when the organization is renamed. */
  id: number;
  /** API URL of the organization. */
  url: string;
  /** URL of the organization's picture; null if it has none. */
  avatar_url: string | null;
}

export const TeamOrganization = model<TeamOrganization>()('TeamOrganization', () => ({
  ...fields(z.string, 'login url'),
  avatar_url: z.nullable(z.string()),
  id: z.int(),
}));
