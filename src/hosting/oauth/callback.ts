import { createHash, timingSafeEqual } from 'node:crypto';
import { OAuthError } from '../../errors/index.js';
import { describeKind } from '../../schema/unknown-values.js';
import { showPage, showText, showWord } from '../../transport/http/redact.js';
import { createInputError } from '../../transport/request/input.js';

/** Parameters of a successful OAuth callback. */
export interface OAuthCallback {
  /**
   * Code to exchange for a token. The code can be used once and expires soon, so exchange it
   * immediately.
   */
  readonly code: string;
}

/** Explanations of the documented errors, used if the server sends no description. */
const causes: Readonly<Record<string, string>> = {
  application_suspended: 'the OAuth application was suspended',
  redirect_uri_mismatch: 'redirect_uri does not match the registered callback URL',
  access_denied: 'the user rejected the request',
  incorrect_client_credentials: 'the client ID or client secret is wrong',
  bad_verification_code: 'the code is wrong, expired or already used. Start the flow again.',
};

/** Failure that a server reports in the callback or when the code is exchanged. */
export interface OAuthFailure {
  readonly error: string;
  readonly description: string | undefined;
  readonly uri: string | undefined;
}

/**
 * Creates the error for a reported failure. The error shows the server's strings on one line, with
 * secrets masked.
 */
export function oauthError(
  when: string,
  failure: OAuthFailure,
  secrets: readonly string[],
  options?: ErrorOptions,
): OAuthError {
  const word = showWord(failure.error, secrets);
  const described = failure.description ? showText(failure.description, secrets) : undefined;
  const known = Object.hasOwn(causes, word) ? causes[word] : undefined;
  const said = described ?? known ?? 'the server sent no reason';
  return new OAuthError(`${when} (${word}): ${said}`, {
    error: word,
    errorDescription: described,
    errorUri: showPage(failure.uri, secrets),
    ...options,
  });
}

/**
 * Reads a callback's parameters.
 * @throws {OAuthError} if the state doesn't match, or the server reports a failure.
 */
export function readCallback(
  callback: string | URL | URLSearchParams,
  state: string | undefined,
  secrets: readonly string[],
): OAuthCallback {
  const parameters = parseCallback(callback);
  // Check the state first, because an attacker can forge an error too.
  const known = checkState(parameters.getAll('state'), state);
  const error = parameters.get('error');
  if (error !== null) {
    throw oauthError(
      'the authorization failed',
      {
        error,
        description: parameters.get('error_description') ?? undefined,
        uri: parameters.get('error_uri') ?? undefined,
      },
      [known, ...secrets],
    );
  }
  const [code, ...more] = parameters.getAll('code');
  if (!code || more.length > 0) {
    throw new OAuthError(
      'the callback URL must contain exactly one code, or an error. Start the flow again.',
      { error: 'bad_verification_code' },
    );
  }
  return { code };
}

/**
 * Returns a callback's parameters. Also accepts `request.url` from `node:http`, which has no host.
 */
function parseCallback(callback: string | URL | URLSearchParams): URLSearchParams {
  if (callback instanceof URLSearchParams) return callback;
  if (callback instanceof URL) return callback.searchParams;
  const base = 'http://callback.invalid';
  if (typeof callback === 'string' && URL.canParse(callback, base)) {
    return new URL(callback, base).searchParams;
  }
  const why = `must be the URL of the callback request (got ${typeof callback === 'string' ? 'an invalid URL' : describeKind(callback)})`;
  throw createInputError('url', why);
}

function checkState(given: readonly string[], expected: string | undefined): string {
  const [state, ...more] = given;
  if (typeof expected === 'string' && state && more.length === 0) {
    if (timingSafeEqual(digest(state), digest(expected))) return expected;
  }
  if (!expected) {
    throw new OAuthError(
      "expected.state: is required. Pass the state that authorizeUrl() returned. If the user's session contains no state, abort the flow, because the callback may be forged.",
      { error: 'state_mismatch' },
    );
  }
  const problem =
    state === undefined
      ? 'the callback URL contains no state'
      : 'the state in the callback URL differs from the state that was sent';
  throw new OAuthError(`${problem}. Abort the flow, because the callback may be forged.`, {
    error: 'state_mismatch',
  });
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}
