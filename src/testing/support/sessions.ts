import type { EmulatorClock } from '../clock.js';
import { sha1 } from '../random.js';
import { httpError } from '../reply.js';
import { wholeSeconds } from './dates.js';

/** Credentials of an API user, issued by the service's operator. */
export interface SupportUser {
  /** Name of the API user. */
  readonly userName: string;
  /** Key of the API user. */
  readonly apiKey: string;
  /** Password of the API user. */
  readonly password: string;
}

/** An open session. */
export interface Session {
  /** The session's token. */
  readonly token: string;
  /** Name of the API user who opened the session. */
  readonly userName: string;
  /** Expiry in epoch ms. */
  readonly expires: number;
}

const missing =
  'Missing access token: include the access_token parameter, use the authenticate endpoint to get one';
const invalid =
  'Invalid or expired access token: renew the token, use the authenticate endpoint to get one';

/** Users and their sessions. */
export class Sessions {
  readonly #clock: EmulatorClock;
  readonly #users = new Map<string, SupportUser>();
  readonly #sessions = new Map<string, Session>();
  #opened = 0;

  constructor(clock: EmulatorClock) {
    this.#clock = clock;
  }

  /** Number of sessions opened so far. */
  get opened(): number {
    return this.#opened;
  }

  /** API users. */
  get users(): Iterable<SupportUser> {
    return this.#users.values();
  }

  /** All sessions, including expired sessions. */
  get all(): Iterable<Session> {
    return this.#sessions.values();
  }

  /** Restores an earlier session. */
  resume(session: Session): void {
    this.#sessions.set(session.token, session);
  }

  /** Adds an API user. */
  add(user: SupportUser): void {
    this.#users.set(user.userName, user);
  }

  /** Opens a session. Returns undefined if the credentials are wrong. @param lifetime Lifetime in seconds. */
  open(credentials: SupportUser, lifetime: number): Session | undefined {
    const { userName, apiKey, password } = credentials;
    const user = this.#users.get(userName);
    if (user?.apiKey !== apiKey || user.password !== password) return undefined;
    this.#opened += 1;
    const now = this.#clock.now.getTime();
    const token = sha1('support session', userName, String(this.#opened), String(now));
    const session = { token, userName, expires: wholeSeconds(now + lifetime * 1000) };
    this.#sessions.set(token, session);
    return session;
  }

  /** Returns a token's session. @throws {HttpError} 401 if the token is missing, unknown or expired. */
  demand(token: string | null): Session {
    if (token === null || token === '') throw httpError(401, missing);
    const session = this.#sessions.get(token);
    if (!session || session.expires <= this.#clock.now.getTime()) throw httpError(401, invalid);
    return session;
  }

  /** Expires all tokens. */
  expireAll(): void {
    this.#sessions.clear();
  }
}
