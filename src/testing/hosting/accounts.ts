/** A user or organization of the emulator. */
export interface Account {
  readonly id: number;
  readonly login: string;
  readonly type: 'User' | 'Organization';
  siteAdmin: boolean;
  suspended: boolean;
  /** For Basic authentication; undefined for organizations. */
  password: string | undefined;
  /** The one-time password that is asked for, where the account has two factors. */
  otp: string | undefined;
}

/** A token and what it may do. */
export interface AuthorizationRecord {
  readonly id: number;
  token: string;
  readonly login: string;
  scopes: readonly string[];
  /** The application it was made for; undefined for one that a user made for themselves. */
  readonly clientId: string | undefined;
  note: string | null;
  noteUrl: string | null;
  readonly createdAt: string;
  updatedAt: string;
}

/** An OAuth application. */
export interface Application {
  /** 20 characters. */
  readonly clientId: string;
  /** 40 characters. */
  clientSecret: string;
  readonly name: string;
  readonly url: string;
  /** Where the web flow comes back to. */
  callbackUrl: string;
  suspended: boolean;
}

/** What a user granted in the web flow, until its code is exchanged. */
export interface Grant {
  readonly clientId: string;
  readonly login: string;
  readonly scopes: readonly string[];
  readonly redirectUri: string | undefined;
  /** By the emulator's clock, epoch milliseconds. */
  readonly expiresAt: number;
}

/** A team of an organization. */
export interface TeamRecord {
  readonly id: number;
  readonly org: string;
  name: string;
  permission: 'pull' | 'push' | 'admin';
  /** Logins. */
  readonly members: Set<string>;
  /** `owner/name`. */
  readonly repos: Set<string>;
}
