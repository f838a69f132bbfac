/** A user or organization of the emulator. */
export interface Account {
  /** Numeric id. */
  readonly id: number;
  /** Login name, such as `mona`. */
  readonly login: string;
  /** Type of the account. */
  readonly type: 'User' | 'Organization';
  /** Whether the account administers the server. */
  siteAdmin: boolean;
  /** Whether the account is suspended. Requests with its credentials get a 403. */
  suspended: boolean;
  /** Password for Basic authentication; undefined if the account has none. */
  password: string | undefined;
  /** One-time password; undefined if two-factor authentication is off. */
  otp: string | undefined;
}

/** A token and its scopes. */
export interface AuthorizationRecord {
  /** Numeric id. */
  readonly id: number;
  /** Value of the token. */
  token: string;
  /** Login of the owner. */
  readonly login: string;
  /** Granted scopes. */
  scopes: readonly string[];
  /** Client id of the application; undefined for a personal token. */
  readonly clientId: string | undefined;
  /** Note that describes the token. */
  note: string | null;
  /** URL of a page about the token's application. */
  noteUrl: string | null;
  /** Time of creation, ISO 8601. */
  readonly createdAt: string;
  /** Time of the last change, ISO 8601. */
  updatedAt: string;
}

/** An OAuth application. */
export interface Application {
  /** Client id, 20 characters. */
  readonly clientId: string;
  /** Client secret, 40 characters. */
  clientSecret: string;
  /** Name of the application. */
  readonly name: string;
  /** Home page of the application. */
  readonly url: string;
  /** URL that the web flow redirects to. */
  callbackUrl: string;
  /** Whether a loopback `redirect_uri` may have any port (RFC 8252, section 7.3), as apps in development need. */
  anyPort: boolean;
  /** Whether the application is suspended. Its users get the error `application_suspended`. */
  suspended: boolean;
}

/** Access that a user granted in the web flow, until the code is exchanged. */
export interface Grant {
  /** Client id of the application. */
  readonly clientId: string;
  /** Login of the user. */
  readonly login: string;
  /** Granted scopes. */
  readonly scopes: readonly string[];
  /** URL that the browser is redirected to. */
  readonly redirectUri: string | undefined;
  /** Expiry by the emulator's clock, in epoch ms. */
  readonly expiresAt: number;
}

/** A team of an organization. */
export interface TeamRecord {
  /** Numeric id. */
  readonly id: number;
  /** Login of the organization. */
  readonly org: string;
  /** Name of the team. */
  name: string;
  /** Access level of the members. */
  permission: 'pull' | 'push' | 'admin';
  /** Logins of the members. */
  readonly members: Set<string>;
  /** Repositories, as `owner/name`. */
  readonly repos: Set<string>;
}
