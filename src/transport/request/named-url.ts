import { stripParameters } from '../http/redact.js';
import { createInputError } from './input.js';
import { type BuildContext, parseTarget, type RequestSpec, type Target } from './request-spec.js';

/** Trusted origins, and parameters that contain credentials. */
export interface OriginTrust {
  /** The origin of `baseUrl` and the origins in `trustedOrigins`. */
  readonly trustedOrigins: ReadonlySet<string>;
  /** Query parameters that contain credentials. */
  readonly credentialParameters: ReadonlySet<string>;
}

/** The origin that a URL came from. */
export interface UrlSource {
  readonly origin: string;
  /** False once a request has gone through an untrusted origin. Later URLs get no credentials. */
  readonly trusted: boolean;
}

/** Target of a URL from a server. */
export interface NamedTarget {
  /** The URL, without the client's credentials. */
  readonly target: Target;
  /** Whether credentials and the caller's headers may be sent. */
  readonly trusted: boolean;
}

/** Reason why a URL from a server isn't requested. */
export type UrlProblem = 'no_http' | 'insecure';

/** Descriptions of the problems. Error messages put this text after `the URL`. */
export const urlProblems: Readonly<Record<UrlProblem, string>> = {
  no_http: 'uses neither http nor https',
  insecure: 'uses http instead of https',
};

/** Rule for a URL input. Error messages put this text after the input's name. */
export const httpsRule = 'must be an https URL, because baseUrl is an https URL (got an http URL)';

/**
 * Checks a URL that a server sent in `Location`, `Link`, or a response field such as `upload_url`.
 * The URL must be http or https, and https if the server's origin uses https. Credentials are sent
 * if both the server's origin and the URL's origin are trusted.
 */
export function resolveNamedUrl(
  url: URL,
  by: UrlSource,
  { trustedOrigins, credentialParameters }: OriginTrust,
): NamedTarget | UrlProblem {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'no_http';
  if (isDowngrade(url.origin, by.origin)) return 'insecure';
  const target = parseTarget(url);
  if (!trustedOrigins.has(url.origin)) return { target, trusted: false };
  const path = stripParameters(target.path, credentialParameters);
  return { target: { origin: target.origin, path }, trusted: by.trusted };
}

/**
 * Removes credentials from a URL in a response field, because they may be outdated, or may be the
 * client's credentials. The client adds its credentials when it sends the request.
 * @throws {InvalidRequestError} if the URL is plain http and the API uses https.
 */
export function stripCredentials(
  spec: RequestSpec,
  { base, credentialParameters }: BuildContext,
): RequestSpec {
  const { origin } = spec.target;
  if (isDowngrade(origin, base.origin)) {
    throw createInputError('route', httpsRule);
  }
  const path = stripParameters(spec.target.path, credentialParameters);
  return { ...spec, target: { origin, path } };
}

/**
 * Returns whether requests to an origin cross a network unencrypted, because the origin uses plain
 * http and isn't this machine.
 */
export function isPlainHttp(origin: string): boolean {
  return (
    origin.startsWith('http:') &&
    !/^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(new URL(origin).hostname)
  );
}

/**
 * Returns whether a link or redirect leads from https to plain http, where anyone on the network
 * path can read the request.
 */
export function isDowngrade(to: string, from: string): boolean {
  return to.startsWith('http:') && from.startsWith('https:');
}
