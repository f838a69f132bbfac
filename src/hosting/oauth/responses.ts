import { createHash, timingSafeEqual } from 'node:crypto';
import * as z from 'zod/mini';
import {
  type ApiError,
  InvalidRequestError,
  OAuthError,
  ResponseBodyError,
  ResponseShapeError,
} from '../../errors/index.js';
import { showPage, showText, showWord } from '../../masks/secrets.js';
import type { RequestInfo, ResponseInfo } from '../../response-info.js';
import { fields, findIssues, model, nullish } from '../../schema/model.js';
import { showIssues } from '../../schema/standard-schema.js';
import { describeKind, toText } from '../../schema/unknown-values.js';
import { parseEssence } from '../../transport/http/media-type.js';
import { mediaTypes } from '../../transport/request/body.js';
import { createInputError } from '../../transport/request/input.js';
import { isDowngrade } from '../../transport/request/request-spec.js';
import { executedNote, formatMessage } from '../../transport/response/failure.js';
import { decodeJson, decodeText } from '../../transport/response/parse-response.js';

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

/**
 * Checks a `redirect_uri` against the service's rule. The URI's host and port must match those of
 * the application's callback URL. The URI's path must be the callback URL's path or a subdirectory
 * of that path. A URL without a port has its scheme's default port.
 *
 * Four checks are stricter than the service's rule, because the redirect URI receives the code:
 * - Both URLs must be http or https, because browsers don't parse hosts and ports consistently in
 *   other schemes.
 * - The redirect URI must be https if the callback URL is.
 * - A username or password is rejected, because it can make one host look like another.
 * - A path is rejected if a server could resolve it to a path outside the directory, such as a path
 * with `..%2f`.
 * @param redirectUri Redirect URI to check.
 * @param callbackUrl Registered callback URL of the application.
 * @returns The redirect URI as formatted by `URL`. Send this value instead of the input, because
 * only this value was checked.
 * @throws {InvalidRequestError} if `redirectUri` breaks a rule, or `callbackUrl` isn't an http or
 * https URL.
 */
export function checkRedirectUri(redirectUri: string | URL, callbackUrl: string | URL): string {
  const redirect = httpUrl(redirectUri, 'redirectUri');
  const callback = httpUrl(callbackUrl, 'callbackUrl');
  const problem = findMismatch(redirect, callback);
  if (problem === undefined) return redirect.href;
  throw new InvalidRequestError(`redirectUri: ${problem}`, { field: 'redirectUri' });
}

/**
 * Parses a URL that a browser can be redirected to.
 * @throws {InvalidRequestError} if the URL isn't http or https. The error names `field`.
 */
export function httpUrl(given: string | URL, field: string): URL {
  const text = toText(given);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  const why = `must be an absolute http or https URL (got ${describeKind(given)})`;
  throw createInputError(field, why);
}

function findMismatch(redirect: URL, callback: URL): string | undefined {
  // A username can make one host look like another.
  if (redirect.username !== '' || redirect.password !== '') {
    return 'must not contain a username or password';
  }
  if (isDowngrade(redirect.origin, callback.origin)) {
    return 'must be an https URL, because the callback URL is an https URL (got an http URL)';
  }
  if (redirect.hostname !== callback.hostname) {
    return `must have the callback URL's host, ${callback.hostname} (got ${redirect.hostname})`;
  }
  if (effectivePort(redirect) !== effectivePort(callback)) {
    return `must have the callback URL's port, ${effectivePort(callback)} (got ${effectivePort(redirect)})`;
  }
  if (climbs(redirect.pathname))
    return "must not contain '.' or '..' segments in the path, in any encoding, or invalid UTF-8";
  const { pathname } = callback;
  const directory = pathname.endsWith('/') ? pathname : `${pathname}/`;
  return redirect.pathname === pathname || redirect.pathname.startsWith(directory)
    ? undefined
    : `must have the callback URL's path (${pathname}) or a subdirectory of that path (got ${redirect.pathname})`;
}

/** Returns a URL's port. `URL.port` is empty for the scheme's default port. */
function effectivePort({ port, protocol }: URL): string {
  return port || (protocol === 'https:' ? '443' : '80');
}

/**
 * Returns whether a path could lead out of its directory. `URL` resolves `..` and `%2e%2e`, but
 * servers may also decode an encoded slash, decode twice, or strip parameters, as in `..;`. Some
 * servers read fullwidth characters (`%EF%BC%8E`) and invalid UTF-8 (`%C0%AE`) as ASCII, so this
 * function normalizes the former and also returns true for the latter.
 */
function climbs(pathname: string): boolean {
  let path = pathname;
  for (let round = 0; round < 5; round += 1) {
    if (path.split(/[/\\]/).some((segment) => /^\.{1,2}(?![\w.-])/.test(segment))) return true;
    const decoded = path
      .replace(/(?:%[0-9a-f]{2})+/gi, (run) =>
        Buffer.from(run.replaceAll('%', ''), 'hex').toString(),
      )
      .normalize('NFKC');
    if (decoded.includes('\ufffd')) return true;
    if (decoded === path) return false;
    path = decoded;
  }
  return true; // The path is encoded more deeply than any legitimate path.
}

/** Format of the token response. All formats contain the same fields. */
export type OAuthFormat = 'json' | 'form' | 'xml';

/** Media types for the `Accept` header, by format. */
export const acceptTypes: Readonly<Record<OAuthFormat, string>> = {
  json: mediaTypes.json,
  form: mediaTypes.form,
  xml: 'application/xml',
};

/** Token response, independent of its format. */
export interface OAuthTokenResponse {
  readonly access_token: string;
  readonly token_type: string;
  /** Granted scopes, comma-separated. */
  readonly scope?: string | null | undefined;
  readonly refresh_token?: string | null | undefined;
  /** Lifetime of the access token in seconds. A string in form data and XML. */
  readonly expires_in?: number | string | null | undefined;
  /** Lifetime of the refresh token in seconds. A string in form data and XML. */
  readonly refresh_token_expires_in?: number | string | null | undefined;
}

const optionalSeconds = () => z.nullish(z.union([z.int(), z.string()]));

export const OAuthTokenResponse = model<OAuthTokenResponse>()('OAuthTokenResponse', () => ({
  access_token: z.string().check(z.minLength(1)),
  token_type: z.string(),
  ...fields(nullish(z.string), 'scope refresh_token'),
  ...fields(optionalSeconds, 'expires_in refresh_token_expires_in'),
}));

/** Token response with its unparsed body. */
export interface RawTokenResponse {
  readonly body: Buffer;
  readonly requestedFormat: OAuthFormat;
  readonly response: ResponseInfo;
  readonly request: RequestInfo;
}

/** Error for a body that can't be parsed. The message contains nothing from the body. */
class Unreadable extends Error {}

/**
 * Parses a token response's fields. Uses the format that the Content-Type specifies, or the
 * requested format if the Content-Type specifies no known format.
 * @throws {ResponseBodyError} if the body can't be parsed.
 */
export async function readTokenFields(
  tokenResponse: RawTokenResponse,
): Promise<ReadonlyMap<string, unknown>> {
  const { body, response, request } = tokenResponse;
  const type = parseEssence(response.headers['content-type']);
  const format = parseFormat(type) ?? tokenResponse.requestedFormat;
  try {
    return await read(format, body);
  } catch (error) {
    if (!(error instanceof Unreadable)) throw error;
    const what = `the ${type === '' ? '' : `${type} `}body is not a token response in ${formatNames[format]}`;
    const why = `the response has status ${response.status}, but ${what} (${error.message})`;
    throw new ResponseBodyError(formatMessage(request, why, executedNote), {
      request,
      reason: format === 'json' ? 'invalid_json' : 'undecodable',
      status: response.status,
      response,
      mayHaveActed: true,
    });
  }
}

const formatNames = { json: 'JSON', xml: 'XML', form: 'form data' } as const;

function parseFormat(type: string): OAuthFormat | undefined {
  if (/[/+]json$/.test(type)) return 'json';
  if (/[/+]xml$/.test(type) && !type.includes('html')) return 'xml';
  return type === mediaTypes.form ? 'form' : undefined;
}

async function read(format: OAuthFormat, body: Buffer): Promise<ReadonlyMap<string, unknown>> {
  if (format === 'json') return readJson(body);
  const text = decodeText([body]);
  if (text === undefined) throw new Unreadable('the body is not UTF-8');
  if (format === 'xml') return await readXml(text);
  // Without this check, an HTML page would parse as a form with one field.
  if (/^\s*[<{]/.test(text)) throw new Unreadable('the body looks like HTML, XML or JSON');
  return new Map(new URLSearchParams(text.trim()));
}

function readJson(body: Buffer): ReadonlyMap<string, unknown> {
  const decoded = decodeJson([body], {});
  if (!decoded.ok) throw new Unreadable(decoded.detail);
  const { value } = decoded;
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new Unreadable('the body is not a JSON object');
  }
  return new Map(Object.entries(value));
}

/**
 * Parses XML whose root element `OAuth` has one child element per field. Loads the parser on
 * demand, because few callers use XML.
 */
async function readXml(text: string): Promise<ReadonlyMap<string, unknown>> {
  if (/<!DOCTYPE/i.test(text)) throw new Unreadable('the body contains a DOCTYPE declaration');
  const { parseXml, XmlElement } = await import('@rgrove/parse-xml');
  try {
    const { root } = parseXml(text);
    if (root?.name !== 'OAuth') throw new Unreadable("the root element is not 'OAuth'");
    const fields = new Map<string, unknown>();
    for (const child of root.children) {
      if (child instanceof XmlElement) fields.set(child.name, child.text);
    }
    return fields;
  } catch (error) {
    if (error instanceof Unreadable) throw error;
    // The parser's error quotes its input, which may contain the token.
    throw new Unreadable('the body is not well-formed XML');
  }
}

/** Returns the failure that a response reports, regardless of its status. */
export function parseFailure(fields: ReadonlyMap<string, unknown>): OAuthFailure | undefined {
  const error = fields.get('error');
  if (typeof error !== 'string' || error === '') return undefined;
  const text = (name: string) => {
    const value = fields.get(name);
    return typeof value === 'string' ? value : undefined;
  };
  return { error, description: text('error_description'), uri: text('error_uri') };
}

/**
 * Validates a token response's fields.
 * @throws {ResponseShapeError} if the fields don't match the model.
 */
export function parseToken(
  fields: ReadonlyMap<string, unknown>,
  { response, request }: RawTokenResponse,
): OAuthTokenResponse {
  const data: unknown = Object.fromEntries(fields);
  const issues = findIssues(OAuthTokenResponse, data);
  // `as`: validation found no issues.
  if (!issues) return data as OAuthTokenResponse;
  const why = `the response does not match ${OAuthTokenResponse.name}: ${showIssues(issues)}`;
  throw new ResponseShapeError(formatMessage(request, why, executedNote), {
    request,
    issues,
    data,
    response,
  });
}

/**
 * Returns the OAuth error in a 4xx response. Undefined if there is none. Some servers report
 * failures with a 4xx, and others with a 200.
 */
export async function refusal(
  error: ApiError,
  requestedFormat: OAuthFormat,
  secrets: readonly string[],
): Promise<OAuthError | undefined> {
  if (error.status >= 500 || error.code === 'rate_limit') return undefined;
  const { body, response, request } = error;
  const text = typeof body === 'string' ? body : JSON.stringify(body ?? '');
  try {
    const fields = await readTokenFields({
      body: Buffer.from(text),
      requestedFormat,
      response,
      request,
    });
    const failure = parseFailure(fields);
    // `{"error": "Not Found"}` isn't an OAuth error code.
    if (!failure || !/^[a-z][a-z_]*$/.test(failure.error)) return undefined;
    return oauthError('the code was not exchanged', failure, secrets, { cause: error });
  } catch {
    return undefined; // Keep the original error, for example for an HTML page.
  }
}
