/** Who authenticates: key, user and password come from the service's operator. */
export interface SessionAuth {
  /** Name of the API user. */
  readonly userName: string;
  /** Key of the API user. */
  readonly apiKey: string;
  /** Password of the API user. */
  readonly password: string;
}

/** A token from elsewhere; the client does not renew it. */
export interface AccessTokenAuth {
  /** The token of a session that was opened elsewhere. */
  readonly accessToken: string;
}

/** Credentials of the support API. */
export type SupportAuth = SessionAuth | AccessTokenAuth;
