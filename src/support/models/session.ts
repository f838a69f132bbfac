import * as z from 'zod';
import { model } from '../../schema/model.js';

/** What `POST /authenticate` answers. */
export interface AuthenticationAnswer {
  success?: boolean | undefined;
  statusMessage?: string | undefined;
  /** Absent where the credentials were refused. */
  access_token?: string | undefined;
  /** When the session ends, as `2015-02-20T16:32:51-0300`. */
  expires?: string | undefined;
}

/** Whether a session is logged in. */
export interface Me {
  /** Whether the server could tell. */
  success?: boolean | undefined;
  /** What the server says about it. */
  statusMessage?: string | undefined;
  /** Whether the session is logged in. */
  logged_in: boolean;
}

export const AuthenticationAnswer = model<AuthenticationAnswer>()('AuthenticationAnswer', () => ({
  success: z.optional(z.boolean()),
  statusMessage: z.optional(z.string()),
  access_token: z.optional(z.string()),
  expires: z.optional(z.string()),
}));

export const Me = model<Me>()('Me', () => ({
  success: z.optional(z.boolean()),
  statusMessage: z.optional(z.string()),
  logged_in: z.boolean(),
}));
