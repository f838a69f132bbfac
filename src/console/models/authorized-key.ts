import * as z from 'zod/mini';
import { fields } from '../../schema/fields.js';
import { model } from '../../schema/model.js';

/** SSH key with access to the appliance. */
export interface AuthorizedKey {
  /** Public key, as in an `authorized_keys` file. */
  key: string;
  /** Fingerprint of the key. */
  'pretty-print': string;
}

export const AuthorizedKey = model<AuthorizedKey>()('AuthorizedKey', () => ({
  ...fields(z.string, 'key pretty-print'),
}));
