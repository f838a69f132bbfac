import type { EmulatorClock } from '../clock.js';
import type { FamilyOptions, FamilyRequest } from '../family.js';
import { HttpError, json } from '../reply.js';
import { vendorHeader } from '../vendor.js';
import type { Account, Application } from './records/accounts.js';
import { documentation, forbidden, unauthorized } from './refusals.js';
import type { HostingState } from './state.js';

/** Number of failed logins that lock an account. The service doesn't document this number. */
const lockoutAfter = 10;
/**
 * Duration of a lockout after the last failed login, in ms on the emulator's clock. The service
 * doesn't document the duration.
 */
const lockoutLasts = 15 * 60 * 1000;
interface Failures {
  readonly count: number;
  /** Time of the last failure, in epoch ms. */
  readonly last: number;
}

export interface HostingCaller {
  /** The caller's account. Undefined for anonymous callers and OAuth applications. */
  readonly account: Account | undefined;
  readonly scheme: 'none' | 'basic' | 'token' | 'application';
  /** Scopes of the token. Undefined if the request has no token. */
  readonly scopes: readonly string[] | undefined;
  /** Application that authenticated with its secret. */
  readonly application: Application | undefined;
  /** Key of the caller's rate limit. */
  readonly key: string;
}

/** Caller without credentials. */
export const nobody: HostingCaller = {
  account: undefined,
  scheme: 'none',
  scopes: undefined,
  application: undefined,
  key: 'anonymous',
};

/** Identifies callers and counts failed logins. */
export class CallerRegistry {
  readonly #failures = new Map<Account, Failures>();

  constructor(
    private readonly state: HostingState,
    private readonly options: FamilyOptions,
  ) {}

  /** Unlocks all accounts by clearing the failed logins. */
  unlock(): void {
    this.#failures.clear();
  }

  /**
   * Identifies the caller. On `/applications/…`, Basic credentials identify an application.
   * @throws {HttpError} 401 if the credentials are wrong or a one-time password is required, 403 if the
   * account is locked or suspended, or if the request has no `User-Agent`.
   */
  identify({ request: { headers }, query, path }: FamilyRequest): HostingCaller {
    if (!headers.get('user-agent')) {
      throw forbidden(
        'Request forbidden by administrative rules: a User-Agent header is required.',
      );
    }
    const authorization = headers.get('authorization');
    if (authorization !== null) {
      const space = authorization.indexOf(' ');
      const scheme = authorization.slice(0, space).toLowerCase();
      const value = authorization.slice(space + 1).trim();
      if (scheme === 'basic') return this.#basic(value, headers, path);
      if (scheme === 'token' || scheme === 'bearer') return this.#token(value);
      throw badCredentials();
    }
    const token = query.get('access_token');
    if (token !== null) return this.#token(token);
    const clientId = query.get('client_id');
    const secret = query.get('client_secret');
    if (clientId !== null && secret !== null) return this.#application(clientId, secret);
    return nobody;
  }

  #application(clientId: string, secret: string): HostingCaller {
    const application = this.state.applications.get(clientId);
    if (application?.clientSecret !== secret) throw badCredentials();
    return { ...nobody, scheme: 'application', application, key: `app ${clientId}` };
  }

  #token(value: string): HostingCaller {
    const token = this.state.tokens.get(value);
    const account = token && this.state.account(token.login);
    if (!token || !account) throw badCredentials();
    return identifyCaller(account, 'token', token.scopes);
  }

  #basic(value: string, headers: Headers, path: string): HostingCaller {
    const [user, password] = parseBasic(value);
    // Applications are exempt from the lockout after failed logins.
    if (path.startsWith('/applications/')) return this.#application(user, password);
    // Some clients send a token as the username, and others send it as the password.
    for (const token of [user, password]) {
      if (this.state.tokens.has(token)) return this.#token(token);
    }
    const account = this.state.account(user);
    if (!account) throw badCredentials();
    if (this.#recentFailures(account) >= lockoutAfter) {
      throw forbidden('Maximum number of login attempts exceeded. Please try again later.');
    }
    if (account.password === undefined || account.password !== password) {
      this.#fail(account);
      throw badCredentials();
    }
    if (account.otp !== undefined) this.#checkOtp(account, headers);
    this.#failures.delete(account);
    return identifyCaller(account, 'basic');
  }

  /**
   * Returns a user's number of failed logins. The number expires 15 minutes after the last failure.
   */
  #recentFailures(user: Account): number {
    const failures = this.#failures.get(user);
    if (!failures) return 0;
    if (this.options.clock.now.getTime() - failures.last < lockoutLasts) return failures.count;
    this.#failures.delete(user);
    return 0;
  }

  #fail(user: Account): void {
    const count = this.#recentFailures(user) + 1;
    this.#failures.set(user, { count, last: this.options.clock.now.getTime() });
  }

  #checkOtp(account: Account, headers: Headers): void {
    const name = vendorHeader(this.options.vendor, 'OTP');
    const password = headers.get(name);
    if (password === account.otp) return;
    // The first request of a login has no one-time password.
    if (password !== null) this.#fail(account);
    const message = 'Must specify two-factor authentication OTP code.';
    throw new HttpError(
      json(401, { message, documentation_url: documentation }, { [name]: 'required; app' }),
    );
  }
}

/** Parses Basic credentials. */
export function parseBasic(value: string): [user: string, password: string] {
  const text = Buffer.from(value, 'base64').toString('utf8');
  const colon = text.indexOf(':');
  return [text.slice(0, colon), text.slice(colon + 1)];
}

/** Creates a caller for an account. @throws {HttpError} 403 if the account is suspended. */
function identifyCaller(
  account: Account,
  scheme: 'basic' | 'token',
  scopes?: readonly string[],
): HostingCaller {
  if (account.suspended) throw forbidden('Sorry. Your account was suspended.');
  return { account, scheme, scopes, application: undefined, key: `user ${account.login}` };
}

function badCredentials(): HttpError {
  return unauthorized('Bad credentials');
}

/** Rate-limit window of one caller. */
export interface Window {
  readonly limit: number;
  remaining: number;
  /** End of the window, in epoch seconds. */
  readonly reset: number;
}

const hour = 3600;

/** Hourly rate limits: 5000 requests with credentials, 60 requests without credentials. */
export class HourlyLimits {
  readonly #windows = new Map<string, Window>();
  #override: number | undefined;

  constructor(private readonly clock: EmulatorClock) {}

  /** Returns a caller's current window. Starts a new window if the last window has ended. */
  window(caller: HostingCaller): Window {
    const now = Math.floor(this.clock.now.getTime() / 1000);
    const known = this.#windows.get(caller.key);
    // A test may move the clock back.
    if (known && known.reset > now && known.reset <= now + hour) return known;
    const limit = this.#override ?? (caller.scheme === 'none' ? 60 : 5000);
    const window = { limit, remaining: limit, reset: now + hour };
    this.#windows.set(caller.key, window);
    return window;
  }

  /**
   * Counts a request toward the caller's window. Returns false if the request is exempt.
   * @throws {HttpError} 403 if the limit is exhausted.
   */
  charge(caller: HostingCaller, path: string): boolean {
    if (path.replace(/\/$/, '') === '/rate_limit') return false;
    const window = this.window(caller);
    if (window.remaining <= 0) {
      throw new HttpError(json(403, { message: `API rate limit exceeded for ${caller.key}.` }));
    }
    window.remaining -= 1;
    return true;
  }

  /**
   * Sets the limit of all windows and starts new windows. Undefined restores the documented limits.
   */
  setLimit(limit: number | undefined): void {
    this.#override = limit;
    this.#windows.clear();
  }
}
