import type { FamilyOptions } from '../family.js';
import { json, Refused } from '../reply.js';
import { vendorHeader } from '../vendor.js';
import type { Account } from './accounts.js';
import type { HostingCaller } from './context.js';
import { documentation, forbidden, unauthorized } from './refusals.js';
import type { HostingState } from './state.js';

/** Failed logins after which an account is locked out (the number is not documented). */
const lockoutAfter = 10;
/** How long it lasts after the last failed login, by the emulator's clock (nor this one). */
const lockoutLasts = 15 * 60 * 1000;
/** More names are not remembered: anybody can make up more. */
const mostNames = 1000;

interface Failures {
  readonly count: number;
  /** Epoch milliseconds of the last one. */
  readonly last: number;
}

/** Who shows no credentials. */
export const nobody: HostingCaller = {
  account: undefined,
  scheme: 'none',
  scopes: undefined,
  application: undefined,
  key: 'anonymous',
};

/** Finds out who asks, and counts failed logins. */
export class Credentials {
  readonly #state: HostingState;
  readonly #options: FamilyOptions;
  readonly #failures = new Map<string, Failures>();

  constructor(state: HostingState, options: FamilyOptions) {
    this.#state = state;
    this.#options = options;
  }

  /** Forgets failed logins. */
  unlock(): void {
    this.#failures.clear();
  }

  /**
   * @param path below the API's prefix: where tokens of applications are managed, Basic means the application.
   * @throws {Refused} 401 bad credentials, 403 lockout or suspended account, 401 with the challenge for a one-time password.
   */
  identify(headers: Headers, query: URLSearchParams, path: string): HostingCaller {
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
    const application = this.#state.applications.get(clientId);
    if (application?.clientSecret !== secret) throw badCredentials();
    return { ...nobody, scheme: 'application', application, key: `app ${clientId}` };
  }

  #token(value: string): HostingCaller {
    const token = this.#state.tokens.get(value);
    const account = token && this.#state.account(token.login);
    if (!token || !account) throw badCredentials();
    return callerOf(account, 'token', token.scopes);
  }

  #basic(value: string, headers: Headers, path: string): HostingCaller {
    const text = Buffer.from(value, 'base64').toString('utf8');
    const colon = text.indexOf(':');
    const [user, password] = [text.slice(0, colon), text.slice(colon + 1)];
    // Exempt from the limit of failed logins.
    if (path.startsWith('/applications/')) return this.#application(user, password);
    // A token may stand for the user name, as other clients send it.
    if (this.#state.tokens.has(user)) return this.#token(user);
    if (this.#recentFailures(user) >= lockoutAfter) {
      throw forbidden('Maximum number of login attempts exceeded. Please try again later.');
    }
    const account = this.#state.account(user);
    if (account?.password === undefined || account.password !== password) {
      this.#fail(user);
      throw badCredentials();
    }
    if (account.otp !== undefined) this.#checkOtp(account.otp, headers);
    this.#failures.delete(user);
    return callerOf(account, 'basic');
  }

  /** Failed logins, which are forgotten when the last of them is long ago. */
  #recentFailures(user: string): number {
    const failures = this.#failures.get(user);
    if (!failures) return 0;
    if (this.#options.clock.now.getTime() - failures.last < lockoutLasts) return failures.count;
    this.#failures.delete(user);
    return 0;
  }

  #fail(user: string): void {
    const count = this.#recentFailures(user) + 1;
    this.#failures.delete(user);
    this.#failures.set(user, { count, last: this.#options.clock.now.getTime() });
    const [oldest] = this.#failures.keys();
    if (this.#failures.size > mostNames && oldest !== undefined) this.#failures.delete(oldest);
  }

  #checkOtp(expected: string, headers: Headers): void {
    const name = vendorHeader(this.#options.vendor, 'OTP');
    if (headers.get(name) === expected) return;
    const message = 'Must specify two-factor authentication OTP code.';
    throw new Refused(
      json(401, { message, documentation_url: documentation }, { [name]: 'required; app' }),
    );
  }
}

/** @throws {Refused} 403 of a suspended account */
function callerOf(
  account: Account,
  scheme: 'basic' | 'token',
  scopes?: readonly string[],
): HostingCaller {
  if (account.suspended) throw forbidden('Sorry. Your account was suspended.');
  return { ...nobody, account, scheme, scopes, key: `user ${account.login}` };
}

function badCredentials(): Refused {
  return unauthorized('Bad credentials');
}
