import * as z from 'zod/mini';
import * as check from '../../checks.js';
import { sha1 } from '../../random.js';
import { field, type Loose, optional, type RecordOf, record, required } from '../../record.js';
import { dated } from './shared-fields.js';

export const authorizationKind = record(
  {
    /** Numeric ID. */
    id: field(check.id(), ({ id }) => id),
    /** Value of the token. */
    token: field(check.name(), ({ id }, { login }) => sha1('token', String(login), String(id))),
    /** Login of the owner. */
    login: required(check.slug()),
    /** Granted scopes. */
    scopes: field<readonly string[]>(z.array(check.headerText()), []),
    /** Client ID of the application. Undefined for a personal token. */
    clientId: optional(check.text()),
    /** Text that describes the token. */
    note: field(check.nullText(), null),
    /** URL of a page about the token's application. */
    noteUrl: field(check.nullText(), null),
    ...dated,
  },
  ['token'],
);

/** A token and its scopes. */
export interface AuthorizationRecord extends RecordOf<typeof authorizationKind> {}

/** Properties of a new token. */
export type TokenInput = Loose<
  Pick<AuthorizationRecord, 'token' | 'clientId' | 'note' | 'noteUrl'>
>;
