/** A user or organization of the emulator. */
export interface Account {
  /** Numeric id, as in answers. */
  readonly id: number;
  /** Name to log in with, as in `mona`. */
  readonly login: string;
  /** Always `User`. */
  readonly type: 'User' | 'Organization';
  /** Whether the account administers the server. */
  siteAdmin: boolean;
  /** Whether the account is suspended: its credentials are refused. */
  suspended: boolean;
  /** For Basic authentication; undefined for organizations. */
  password: string | undefined;
  /** The one-time password that is asked for, where the account has two factors. */
  otp: string | undefined;
}

/** A token and what it may do. */
export interface AuthorizationRecord {
  /** Numeric id, as in answers. */
  readonly id: number;
  /** The token itself. */
  token: string;
  /** Whose it is. */
  readonly login: string;
  /** What it grants. */
  scopes: readonly string[];
  /** The application it was made for; undefined for one that a user made for themselves. */
  readonly clientId: string | undefined;
  /** What it is for. */
  note: string | null;
  /** Page of the application that it is for. */
  noteUrl: string | null;
  /** When it was made. */
  readonly createdAt: string;
  /** When it was last changed. */
  updatedAt: string;
}

/** An OAuth application. */
export interface Application {
  /** 20 characters. */
  readonly clientId: string;
  /** 40 characters. */
  clientSecret: string;
  /** Name of the application. */
  readonly name: string;
  /** Home page of the application. */
  readonly url: string;
  /** Where the web flow comes back to. */
  callbackUrl: string;
  /** In a `redirect_uri` on this machine any port will do (RFC 8252, 7.3): apps in development have odd ones. */
  anyPort: boolean;
  /** Whether the application is suspended: its users get `application_suspended`. */
  suspended: boolean;
}

/** What a user granted in the web flow, until its code is exchanged. */
export interface Grant {
  /** Application that asks. */
  readonly clientId: string;
  /** Who granted it. */
  readonly login: string;
  /** What was granted. */
  readonly scopes: readonly string[];
  /** Where the browser is sent back to. */
  readonly redirectUri: string | undefined;
  /** By the emulator's clock, epoch milliseconds. */
  readonly expiresAt: number;
}

/** A team of an organization. */
export interface TeamRecord {
  /** Numeric id, as in answers. */
  readonly id: number;
  /** Organization that it belongs to. */
  readonly org: string;
  /** Name of the team. */
  name: string;
  /** What its members may do. */
  permission: 'pull' | 'push' | 'admin';
  /** Logins. */
  readonly members: Set<string>;
  /** `owner/name`. */
  readonly repos: Set<string>;
}
