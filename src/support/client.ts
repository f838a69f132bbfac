import { ConfigurationError } from '../errors.js';
import type { Call } from '../transport/call.js';
import { Caller } from '../transport/caller.js';
import { endpoint } from '../transport/endpoint.js';
import type { ClientOptions } from '../transport/options.js';
import { resolveSettings } from '../transport/settings.js';
import { Transport } from '../transport/transport.js';
import { plain } from './answers.js';
import type { SupportAuth } from './auth.js';
import type { SupportCaller, SupportRequestOptions } from './caller.js';
import { Cases } from './cases.js';
import { Contacts } from './contacts.js';
import { Me } from './models/index.js';
import { authenticate, type SupportSession, supportAuthorizer } from './session.js';

/** Options of {@link SupportClient}. */
export interface SupportClientOptions extends ClientOptions {
  readonly auth: SupportAuth;
}

const getMe = endpoint<object>()({
  operation: 'me',
  method: 'GET',
  path: '/me',
  input: {},
  answer: plain(Me),
});

/**
 * The support API v2 (contract part B): contacts and cases. Opens a session on first use, keeps it,
 * and renews it when it ends.
 *
 * ```ts
 * const support = new SupportClient({ baseUrl: 'https://support.example.com/api/v2/', auth: { userName, apiKey, password } });
 * ```
 * @throws {ConfigurationError} naming the option that is wrong.
 */
export class SupportClient {
  readonly contacts: Contacts;
  readonly cases: Cases;
  readonly #caller: SupportCaller;
  readonly #options: SupportClientOptions;

  constructor(options: SupportClientOptions);
  /** @internal `withAuth` makes a client over a transport that exists. */
  constructor(options: SupportClientOptions, caller: SupportCaller);
  constructor(options: SupportClientOptions, caller: SupportCaller = newCaller(options)) {
    this.#options = options;
    this.#caller = caller;
    this.contacts = new Contacts(caller);
    this.cases = new Cases(caller);
  }

  /**
   * Opens a session now, and gives its token: for use elsewhere, or to check credentials. Calls of this
   * client need no such step.
   * @throws {AuthenticationError} refused credentials.
   * @throws {ConfigurationError} the client has a token, and no credentials to open a session with.
   */
  async authenticate(): Promise<SupportSession> {
    const { auth } = this.#options;
    if ('accessToken' in auth) {
      throw new ConfigurationError(
        'authenticate: this client has a token from elsewhere; use auth { userName, apiKey, password }',
        'auth',
      );
    }
    return await authenticate(this.#caller.transport, auth);
  }

  /** Whether the session is logged in (contract: GET /me). */
  me(options?: SupportRequestOptions): Call<Me> {
    return this.#caller.call(getMe, {}, options);
  }

  /** The same client with other credentials, over the same sockets. */
  withAuth(auth: SupportAuth): SupportClient {
    return derived({ ...this.#options, auth }, this.#caller.withAuth(auth));
  }

  /** Ends the sockets this client opened. A dispatcher of yours stays open. */
  async close(): Promise<void> {
    await this.#caller.transport.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.close();
  }
}

/** Outside of the class: a class that names itself inside is called `_SupportClient` in what is built. */
function derived(options: SupportClientOptions, caller: SupportCaller): SupportClient {
  return new SupportClient(options, caller);
}

function newCaller(options: SupportClientOptions): SupportCaller {
  const transport = new Transport(
    resolveSettings(options, {
      media: { vendor: 'service', version: 'v3' },
      accept: 'application/json',
    }),
  );
  const authorizerOf = (auth: SupportAuth) => supportAuthorizer(auth, transport);
  return new Caller(transport, authorizerOf(options.auth), authorizerOf);
}
