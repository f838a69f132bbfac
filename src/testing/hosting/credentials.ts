import { json } from '../reply.js';
import { type HostingCaller, Refused } from './context.js';
import type { HostingState } from './state.js';

/** Failed logins after which an account is locked out (the contract names no number). */
const lockoutAfter = 10;

/** Finds out who asks (contract: Authentication), and counts failed logins. */
export class Credentials {
  readonly #state: HostingState;
  readonly #vendor: string;
  readonly #failures = new Map<string, number>();

  constructor(state: HostingState, vendor: string) {
    this.#state = state;
    this.#vendor = vendor;
  }

  /** Forgets failed logins. */
  unlock(): void {
    this.#failures.clear();
  }

  /** @throws {Refused} 401 bad credentials, 403 lockout, 401 with the challenge for a one-time password. */
  identify(headers: Headers, query: URLSearchParams): HostingCaller {
    const authorization = headers.get('authorization');
    if (authorization !== null) {
      const space = authorization.indexOf(' ');
      const scheme = authorization.slice(0, space).toLowerCase();
      const value = authorization.slice(space + 1).trim();
      if (scheme === 'basic') return this.#basic(value, headers);
      if (scheme === 'token' || scheme === 'bearer') return this.#token(value);
      throw badCredentials();
    }
    const token = query.get('access_token');
    if (token !== null) return this.#token(token);
    const clientId = query.get('client_id');
    if (clientId !== null && query.get('client_secret') !== null) {
      return {
        account: undefined,
        scheme: 'application',
        scopes: undefined,
        key: `app ${clientId}`,
      };
    }
    return { account: undefined, scheme: 'none', scopes: undefined, key: 'anonymous' };
  }

  #token(value: string): HostingCaller {
    const token = this.#state.tokens.get(value);
    const account = token && this.#state.account(token.login);
    if (!token || !account) throw badCredentials();
    return { account, scheme: 'token', scopes: token.scopes, key: `user ${account.login}` };
  }

  #basic(value: string, headers: Headers): HostingCaller {
    const text = Buffer.from(value, 'base64').toString('utf8');
    const colon = text.indexOf(':');
    const [user, password] = [text.slice(0, colon), text.slice(colon + 1)];
    // A token may stand for the user name, as other clients send it.
    if (this.#state.tokens.has(user)) return this.#token(user);
    const failures = this.#failures.get(user) ?? 0;
    if (failures >= lockoutAfter) {
      throw new Refused(
        json(403, {
          message: 'Maximum number of login attempts exceeded. Please try again later.',
          documentation_url: 'https://developer.example.com/v3',
        }),
      );
    }
    const account = this.#state.account(user);
    if (!account || account.password === undefined || account.password !== password) {
      this.#failures.set(user, failures + 1);
      throw badCredentials();
    }
    if (account.otp !== undefined) this.#checkOtp(account.otp, headers);
    this.#failures.delete(user);
    return { account, scheme: 'basic', scopes: undefined, key: `user ${user}` };
  }

  #checkOtp(expected: string, headers: Headers): void {
    const name = `X-${this.#vendor.charAt(0).toUpperCase()}${this.#vendor.slice(1)}-OTP`;
    if (headers.get(name) === expected) return;
    throw new Refused(
      json(
        401,
        { message: 'Must specify two-factor authentication OTP code.' },
        { [name]: 'required; app' },
      ),
    );
  }
}

function badCredentials(): Refused {
  return new Refused(
    json(401, {
      message: 'Bad credentials',
      documentation_url: 'https://developer.example.com/v3',
    }),
  );
}
