/** Credentials of an API user, issued by the service's operator. */
export interface SessionAuth {
  /** Name of the API user. */
  readonly userName: string;
  /** Key of the API user. */
  readonly apiKey: string;
  /** Password of the API user. */
  readonly password: string;
}

/** Access token obtained elsewhere. The client doesn't renew it. */
export interface AccessTokenAuth {
  /** Token of an existing session. */
  readonly accessToken: string;
}

/** Credentials for the support API. */
export type SupportAuth = SessionAuth | AccessTokenAuth;
