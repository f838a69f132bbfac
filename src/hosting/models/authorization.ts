import * as z from 'zod/mini';
import { fields } from '../../schema/fields.js';
import { model, nullish, ref } from '../../schema/model.js';
import { User } from './user.js';

/** The OAuth application that a token belongs to. */
export interface AuthorizationApp {
  /** The application's web page; null if it is blank. */
  url: string | null;
  /** The application's name. */
  name: string;
  /** 20 characters. Absent on servers of 2012. */
  client_id?: string | null | undefined;
}

/** An OAuth authorization: a token and what it may do. */
export interface Authorization {
  /** Numeric id. */
  id: number;
  /** API URL of the authorization. */
  url: string;
  /** What the token may do, normalized: scopes implied by another one are dropped. Null on servers that say so for none. */
  scopes: string[] | null;
  /** The token. Newer servers show it once, when it is made: later it is empty or absent. */
  token?: string | null | undefined;
  /** The application. */
  app: AuthorizationApp;
  /** What the token is for, as the user wrote it. */
  note?: string | null | undefined;
  /** A URL that explains the note. */
  note_url?: string | null | undefined;
  /** When it was made, `YYYY-MM-DDTHH:MM:SSZ`. */
  created_at: string;
  /** When it last changed, `YYYY-MM-DDTHH:MM:SSZ`. */
  updated_at: string;
  /** Whose token it is; only when a token is checked or reset. */
  user?: User | null | undefined;
  /** Tells apart tokens of one application. @remarks Known from the public v3 documentation. */
  fingerprint?: string | null | undefined;
  /** SHA-256 of the token, in hexadecimal. @remarks Known from the public v3 documentation. */
  hashed_token?: string | null | undefined;
  /** The last eight characters of the token. @remarks Known from the public v3 documentation. */
  token_last_eight?: string | null | undefined;
}

export const AuthorizationApp = model<AuthorizationApp>()('AuthorizationApp', () => ({
  url: z.nullable(z.string()),
  name: z.string(),
  client_id: z.nullish(z.string()),
}));

export const Authorization = model<Authorization>()('Authorization', () => ({
  id: z.int(),
  ...fields(z.string, 'url created_at updated_at'),
  scopes: z.nullable(z.array(z.string())),
  ...fields(nullish(z.string), 'token note note_url fingerprint hashed_token token_last_eight'),
  app: ref(AuthorizationApp),
  user: z.nullish(ref(User)),
}));
