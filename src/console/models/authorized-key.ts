import * as z from 'zod';
import { type Model, model } from '../../schema/model.js';

/** A key that may reach the appliance's shell. */
export interface AuthorizedKey {
  /** The public key, as in an `authorized_keys` file. */
  key: string;
  /** Its fingerprint. */
  'pretty-print': string;
}

export const AuthorizedKey: Model<AuthorizedKey> = model<AuthorizedKey>()('AuthorizedKey', () => ({
  key: z.string(),
  'pretty-print': z.string(),
}));
