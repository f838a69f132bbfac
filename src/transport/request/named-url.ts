import { stripParameters } from '../http/redact.js';
import { invalidInput } from './input.js';
import { type BuildContext, parseTarget, type RequestSpec, type Target } from './request-spec.js';

/** Which origins get credentials, and which parameters contain them. */
export interface OriginTrust {
  /** The origin of `baseUrl`, and the origins in `trustedOrigins`. */
  readonly trustedOrigins: ReadonlySet<string>;
  /** Query parameters that contain credentials. */
  readonly credentialParameters: ReadonlySet<string>;
}

/** The origin that named a URL. */
export interface NamedBy {
  readonly origin: string;
  /** False once a request has gone through an untrusted origin. Later URLs get no credentials. */
  readonly trusted: boolean;
}

/** Target of a URL that a server named. */
export interface NamedTarget {
  /** The URL, without the client's own credentials. */
  readonly target: Target;
  /** Whether credentials and the caller's headers may be sent. */
  readonly trusted: boolean;
}

/** Why a URL that a server named is not requested. */
export type UrlProblem = 'no_http' | 'insecure';

/** Texts of the problems for error messages. */
export const urlProblems: Readonly<Record<UrlProblem, string>> = {
  no_http: 'the URL is neither http nor https',
  insecure: 'the URL downgrades from https to http',
};

/**
 * Checks a URL that a server names in `Location`, `Link`, or a field of a response such as
 * `upload_url`. It must be http or https, and https if the origin that named it uses https.
 * Credentials are sent if both that origin and the URL's own are trusted.
 */
export function resolveNamedUrl(
  url: URL,
  by: NamedBy,
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
 * Removes credentials from a URL that a field of a response named, because they may be outdated or
 * the client's own. The client adds its credentials when it sends the request.
 * @throws {InvalidRequestError} if the URL is plain http and the API uses https.
 */
export function namedByServer(
  spec: RequestSpec,
  { base, credentialParameters }: BuildContext,
): RequestSpec {
  const { origin } = spec.target;
  if (isDowngrade(origin, base.origin)) throw invalidInput('path', urlProblems.insecure);
  const path = stripParameters(spec.target.path, credentialParameters);
  return { ...spec, target: { origin, path } };
}

/**
 * Whether requests to an origin cross a network unencrypted: it uses plain http and isn't this
 * machine.
 */
export function isPlainHttp(origin: string): boolean {
  return (
    origin.startsWith('http:') &&
    !/^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(new URL(origin).hostname)
  );
}

/**
 * Whether a URL leads from https to plain http, where anyone on the network path can read the
 * request.
 */
export function isDowngrade(to: string, from: string): boolean {
  return to.startsWith('http:') && from.startsWith('https:');
}
