import * as z from 'zod/mini';
import * as check from '../../checks.js';
import { field, type Loose, optional, type RecordOf, record, required } from '../../record.js';

export const accountKind = record(
  {
    /** Numeric ID. */
    id: field(check.id(), ({ id }) => id),
    /** Login name, such as `mona`. */
    login: required(check.slug()),
    /** Type of the account. */
    type: field(z.enum(['User', 'Organization']), 'User'),
    /** Whether the account administers the server. */
    siteAdmin: field(check.flag(), false),
    /** Whether the account is suspended. Requests with the account's credentials get a 403. */
    suspended: field(check.flag(), false),
    /** Password for Basic authentication. Undefined if the account has no password. */
    password: optional(check.text()),
    /** One-time password. Undefined if two-factor authentication is off. */
    otp: optional(check.text()),
  },
  ['login'],
);

/** A user or organization of the emulator. */
export interface Account extends RecordOf<typeof accountKind> {}

/** Properties of a new account. */
export type AccountInput = Loose<Omit<Account, 'id' | 'login' | 'type'>>;
