/** Who authenticates: key, user and password come from the service's operator. */
export interface SessionAuth {
  readonly userName: string;
  readonly apiKey: string;
  readonly password: string;
}

/** A token from elsewhere; the client does not renew it. */
export interface AccessTokenAuth {
  readonly accessToken: string;
}

/** Credentials of the support API (contract: Authentication, Support API v2). */
export type SupportAuth = SessionAuth | AccessTokenAuth;
