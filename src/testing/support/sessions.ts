import type { EmulatorClock } from '../clock.js';
import { sha1 } from '../random.js';
import { wholeSeconds } from './dates.js';
import { unauthorized } from './refusals.js';

/** Who may open sessions: what the operator of the service gives out. */
export interface SupportUser {
  /** Name of the API user. */
  readonly userName: string;
  /** Key of the API user. */
  readonly apiKey: string;
  /** Password of the API user. */
  readonly password: string;
}

/** A session that was opened. */
export interface Session {
  /** The session's token. */
  readonly token: string;
  /** Who opened it. */
  readonly userName: string;
  /** Milliseconds since the epoch. */
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

  /** How many sessions were opened. */
  get opened(): number {
    return this.#opened;
  }

  /** Who may open sessions. */
  get users(): Iterable<SupportUser> {
    return this.#users.values();
  }

  /** Sessions that were opened, expired ones too. */
  get all(): Iterable<Session> {
    return this.#sessions.values();
  }

  /** A session that was opened before. */
  resume(session: Session): void {
    this.#sessions.set(session.token, session);
  }

  /** Somebody may open sessions from now on. */
  add(user: SupportUser): void {
    this.#users.set(user.userName, user);
  }

  /** Opens a session. @param lifetime in seconds. @returns undefined where the credentials are wrong. */
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

  /** The session of a token. @throws {Refused} 401: no token, or one that is not good (any more). */
  demand(token: string | null): Session {
    if (token === null || token === '') throw unauthorized(missing);
    const session = this.#sessions.get(token);
    if (!session || session.expires <= this.#clock.now.getTime()) throw unauthorized(invalid);
    return session;
  }

  /** Every token is expired from now on. */
  expireAll(): void {
    this.#sessions.clear();
  }
}
