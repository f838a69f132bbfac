import * as z from 'zod/mini';
import { fields } from '../../schema/fields.js';
import { model } from '../../schema/model.js';

/** A key that may reach the appliance's shell. */
export interface AuthorizedKey {
  /** The public key, as in an `authorized_keys` file. */
  key: string;
  /** Its fingerprint. */
  'pretty-print': string;
}

export const AuthorizedKey = model<AuthorizedKey>()('AuthorizedKey', () => ({
  ...fields(z.string, 'key pretty-print'),
}));
