import { AuthenticationError, ConfigurationError } from '../errors.js';
import type { ResponseHolder } from '../transport/call.js';
import type { Authorizer, Credentials } from '../transport/credentials.js';
import { anonymous } from '../transport/credentials.js';
import { endpoint, jsonMapped } from '../transport/endpoint.js';
import { fingerprintOf } from '../transport/fingerprint.js';
import { filledText } from '../transport/input.js';
import { buildRequest, describe } from '../transport/request-spec.js';
import { parseHttpDate } from '../transport/retry-after.js';
import type { Transport } from '../transport/transport.js';
import type { AccessTokenAuth, SessionAuth, SupportAuth } from './auth.js';
import { parseSupportDate } from './dates.js';
import { AuthenticationAnswer } from './models/index.js';

const queryNames = new Set(['access_token']);

const refusalNote = 'the access token is missing, invalid or expired';

/** A token is renewed this long before it ends, in ms: clocks differ, and a call takes its time. */
const margin = 30_000;

/** A session as the server opened it. */
export interface SupportSession {
  readonly accessToken: string;
  /** When it ends; undefined where the server's date can't be read. A 401 tells then. */
  readonly expires: Date | undefined;
  /**
   * Milliseconds from when it was opened until it ends, by the server's own clock: ours may be wrong.
   * Undefined with `expires`.
   */
  readonly lifetime: number | undefined;
}

/** Makes the authorizer of an `auth` option. @throws {ConfigurationError} a part that is missing. */
export function supportAuthorizer(auth: SupportAuth | undefined, transport: Transport): Authorizer {
  if (typeof auth === 'object' && auth !== null) {
    if ('accessToken' in auth) return fixedToken(auth);
    return new RenewingSession(checkSession(auth), transport);
  }
  throw new ConfigurationError(
    'auth: expected { userName, apiKey, password } or { accessToken }',
    'auth',
  );
}

function checkSession(auth: SessionAuth): SessionAuth {
  for (const name of ['userName', 'apiKey', 'password'] as const) {
    checkText(`auth.${name}`, auth[name]);
  }
  return auth;
}

function checkText(name: string, value: unknown): void {
  if (typeof value === 'string' && value !== '') return;
  throw new ConfigurationError(`${name}: expected a string that is not empty`, 'auth');
}

function fixedToken(auth: AccessTokenAuth): Authorizer {
  checkText('auth.accessToken', auth.accessToken);
  const credentials = credentialsOf(auth.accessToken);
  return { queryNames, refusalNote, credentials: () => credentials };
}

/** The token goes where the parameters go: the query of a GET, the form of a POST. */
function credentialsOf(token: string): Credentials {
  return {
    scheme: 'access_token',
    headers: {},
    parameters: `access_token=${encodeURIComponent(token)}`,
    parametersIn: 'form_or_query',
    secrets: [token],
    fingerprint: fingerprintOf('support', token),
  };
}

/** Opens a session on first use, and a new one when it ends; concurrent calls share one opening. */
export class RenewingSession implements Authorizer {
  readonly queryNames = queryNames;
  readonly refusalNote = refusalNote;
  readonly #auth: SessionAuth;
  readonly #transport: Transport;
  #credentials: Credentials | undefined;
  #renewAt = 0;
  #opening: Promise<Credentials> | undefined;

  constructor(auth: SessionAuth, transport: Transport) {
    this.#auth = auth;
    this.#transport = transport;
  }

  credentials(
    _requirement?: string,
    signal?: AbortSignal,
  ): Credentials | Promise<Credentials | undefined> {
    if (this.#credentials && this.#transport.settings.now() < this.#renewAt) {
      return this.#credentials;
    }
    return abortable(this.#open(), signal);
  }

  renew(
    rejected: Credentials | undefined,
    _challenge: unknown,
    signal: AbortSignal | undefined,
  ): Promise<Credentials | undefined> {
    // Another call may have renewed it while this one was on its way.
    if (this.#credentials && this.#credentials !== rejected) {
      return Promise.resolve(this.#credentials);
    }
    this.#credentials = undefined;
    return abortable(this.#open(), signal);
  }

  #open(): Promise<Credentials> {
    this.#opening ??= this.#authenticate().finally(() => {
      this.#opening = undefined;
    });
    return this.#opening;
  }

  async #authenticate(): Promise<Credentials> {
    const session = await authenticate(this.#transport, this.#auth);
    this.#credentials = credentialsOf(session.accessToken);
    this.#renewAt = this.#transport.settings.now() + renewAfter(session.lifetime);
    return this.#credentials;
  }
}

/** How long a session is used before it is renewed unasked, in ms. Where nothing sensible is known, a 401 tells. */
function renewAfter(lifetime: number | undefined): number {
  if (lifetime === undefined || lifetime <= 0) return Number.POSITIVE_INFINITY;
  return lifetime - Math.min(margin, lifetime / 2);
}

const openSession = endpoint<SessionAuth>()({
  operation: 'authenticate',
  method: 'POST',
  path: '/authenticate',
  input: { userName: filledText, apiKey: filledText, password: filledText },
  encoding: 'form',
  secret: ['apiKey', 'password'],
  answer: {
    ...jsonMapped(AuthenticationAnswer, (wire) => wire),
    // Judged below: refused credentials are an authentication error, however they are told.
    failure: () => undefined,
  },
  // A second session does no harm.
  replayable: true,
});

/**
 * Opens a session (contract: POST /authenticate).
 * @throws {AuthenticationError} refused credentials: 401, or `success: false`.
 */
export async function authenticate(
  transport: Transport,
  auth: SessionAuth,
): Promise<SupportSession> {
  const { settings } = transport;
  const spec = buildRequest(openSession, auth, { ...settings, headers: [] });
  const holder: ResponseHolder = { response: undefined };
  const { answer } = openSession;
  const answered = await transport.perform(
    {
      spec,
      answer: typeof answer === 'function' ? answer(auth) : answer,
      authorizer: { ...anonymous, refusalNote: 'userName, apiKey or password were refused' },
      signals: [],
      timeouts: settings.timeouts,
      retry: settings.retry,
      validation: settings.validation,
    },
    holder,
  );
  const token = answered.access_token;
  if (answered.success === false || typeof token !== 'string' || token === '') {
    const { response } = holder;
    if (!response) throw new TypeError('a session came without an answer');
    const request = describe(spec);
    const why = answered.statusMessage ?? 'no access_token came';
    throw new AuthenticationError(
      `${request.operation}: userName, apiKey or password were refused: ${why} [${request.method} ${request.url}]`,
      { request, response },
    );
  }
  const expires = dateOf(answered.expires);
  const serverNow = parseHttpDate(holder.response?.headers.date ?? '') ?? settings.now();
  const lifetime = expires && expires.getTime() - serverNow;
  return { accessToken: token, expires, lifetime };
}

function dateOf(text: unknown): Date | undefined {
  if (typeof text !== 'string') return undefined;
  try {
    return parseSupportDate(text);
  } catch {
    return undefined; // the contract promises a date, and relying on 401 works without one
  }
}

/** A caller's own abort does not end what others wait for. */
function abortable<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return promise;
  return new Promise((resolve, reject) => {
    const abort = () => reject(signal.reason);
    if (signal.aborted) abort();
    else signal.addEventListener('abort', abort, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
