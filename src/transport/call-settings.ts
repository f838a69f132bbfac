import type { OptionNames } from '../option-names.js';
import { describeKind } from '../schema/unknown-values.js';
import {
  type RequestOptions,
  requestNames,
  resolveRetry,
  resolveTimeouts,
  resolveValidation,
} from './options.js';
import type { ListOptions } from './pagination/paginated.js';
import type { PreparedCall } from './policies/context.js';
import type { Authorizer } from './request/credentials.js';
import { createInputError } from './request/input.js';

/** Request options, plus `auth` to override the client's credentials for one call. */
export interface AuthOptions<Auth> extends RequestOptions {
  /** Credentials for this call only. Default: the client's `auth`. */
  readonly auth?: Auth | undefined;
}

export const callNames: OptionNames<AuthOptions<unknown>> = { ...requestNames, auth: true };

export const listNames: OptionNames<AuthOptions<unknown> & ListOptions> = {
  ...callNames,
  from: true,
  prefetch: true,
  concurrency: true,
};

/** Settings that a call can override. */
type CallSettings = Pick<
  PreparedCall<unknown>,
  'authorizer' | 'lastCredentials' | 'timeouts' | 'retry' | 'validation'
>;

/** Resolves the settings of a call. Unset options fall back to the client's settings. */
export class CallSettingsResolver<Auth> {
  /** Settings for calls without options. */
  readonly defaults: CallSettings;
  readonly #createAuthorizer: (auth: Auth) => Authorizer;
  /**
   * Cached authorizers for calls with their own `auth`. All pages of a list share an authorizer.
   */
  readonly #authorizers = new WeakMap<object, Authorizer>();

  constructor(defaults: CallSettings, createAuthorizer: (auth: Auth) => Authorizer) {
    this.defaults = defaults;
    this.#createAuthorizer = createAuthorizer;
  }

  /** @throws {ConfigurationError} if an option is invalid. */
  resolve({ auth, timeout, retry, validation }: AuthOptions<Auth>): CallSettings {
    const { defaults } = this;
    return {
      authorizer: auth === undefined ? defaults.authorizer : this.#authorizerFor(auth),
      lastCredentials: auth === undefined ? defaults.lastCredentials : undefined,
      timeouts: resolveTimeouts(timeout, defaults.timeouts),
      retry: resolveRetry(retry, defaults.retry),
      validation: resolveValidation(validation, defaults.validation),
    };
  }

  #authorizerFor(auth: Auth): Authorizer {
    const isObject = typeof auth === 'function' || (typeof auth === 'object' && auth !== null);
    if (!isObject) return this.#createAuthorizer(auth);
    const known = this.#authorizers.get(auth);
    if (known) return known;
    const made = this.#createAuthorizer(auth);
    this.#authorizers.set(auth, made);
    return made;
  }
}

/** @throws {InvalidRequestError} if `signal` isn't an `AbortSignal`. */
export function checkSignal(signal: AbortSignal): AbortSignal {
  if (signal instanceof AbortSignal) return signal;
  throw createInputError('signal', `must be an AbortSignal (got ${describeKind(signal)})`);
}
