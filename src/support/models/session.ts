import * as z from 'zod/mini';
import { fields, model } from '../../schema/model.js';

/** Response to `POST /authenticate`. */
export interface AuthenticationResponse extends OutcomeFields {
  /** Access token of the session. Absent if the credentials were rejected. */
  access_token?: string | null | undefined;
  /** Expiry time of the session, for example `2015-02-20T16:32:51-0300`. */
  expires?: string | null | undefined;
}

/** Login status of a session. */
export interface Me extends OutcomeFields {
  /** Whether the session is logged in. */
  logged_in: boolean;
}

export const AuthenticationResponse = model<AuthenticationResponse>()(
  'AuthenticationResponse',
  () => ({
    ...outcomeFields(),
    ...fields(() => z.nullish(z.string()), 'access_token expires'),
  }),
);

export const Me = model<Me>()('Me', () => ({
  ...outcomeFields(),
  logged_in: z.boolean(),
}));

/** Outcome that a response reports. */
export interface OutcomeFields {
  /** Whether the operation succeeded. A failed operation causes an `OperationFailedError`. */
  success?: boolean | null | undefined;
  /** Message sent by the server. */
  statusMessage?: string | null | undefined;
}

/** Returns the schemas for the fields of {@link OutcomeFields}. */
export const outcomeFields = () => ({
  success: z.nullish(z.boolean()),
  statusMessage: z.nullish(z.string()),
});
