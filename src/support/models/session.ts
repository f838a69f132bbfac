import * as z from 'zod/mini';
import { fields } from '../../schema/fields.js';
import { model } from '../../schema/model.js';
import { type Judged, judged } from './judged.js';

/** Response of `POST /authenticate`. */
export interface AuthenticationAnswer extends Judged {
  /** Missing if the credentials were rejected. */
  access_token?: string | null | undefined;
  /** When the session ends, as `2015-02-20T16:32:51-0300`. */
  expires?: string | null | undefined;
}

/** Whether a session is logged in. */
export interface Me extends Judged {
  /** Whether the session is logged in. */
  logged_in: boolean;
}

export const AuthenticationAnswer = model<AuthenticationAnswer>()('AuthenticationAnswer', () => ({
  ...judged(),
  ...fields(() => z.nullish(z.string()), 'access_token expires'),
}));

export const Me = model<Me>()('Me', () => ({
  ...judged(),
  logged_in: z.boolean(),
}));
