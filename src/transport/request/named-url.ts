import { stripParameters } from '../http/redact.js';
import { invalidInput } from './input.js';
import { type BuildContext, type RequestSpec, type Target, targetOf } from './request-spec.js';

/** Which origins get credentials, and which parameters contain them. */
export interface OriginTrust {
  /** True for the origin of `baseUrl` and for `trustedOrigins`. */
  readonly isTrusted: (origin: string) => boolean;
  /** Query parameters that contain credentials. */
  readonly credentialNames: ReadonlySet<string>;
}

/** Who named a URL. */
export interface NamedBy {
  readonly origin: string;
  /** False once a request went over an untrusted origin: what is named from there on gets no credentials. */
  readonly trusted: boolean;
}

/** Where a URL that a server named leads to. */
export interface NamedTarget {
  /** Without the client's own credentials. */
  readonly target: Target;
  /** Credentials and the caller's header fields may be sent along. */
  readonly trusted: boolean;
}

/** Why a URL that a server named is not requested. */
export type UrlProblem = 'no_http' | 'insecure';

/** The same in words. */
export const urlProblems: Readonly<Record<UrlProblem, string>> = {
  no_http: 'it is neither http nor https',
  insecure: 'it goes from https down to http',
};

/**
 * The one rule for URLs that a server names: in `Location`, in `Link`, and in fields of a response
 * such as `upload_url`. They are http or https, and https if the one who named them is. Credentials go
 * along if both that origin and the URL's own are trusted.
 */
export function judgeNamedUrl(
  url: URL,
  by: NamedBy,
  { isTrusted, credentialNames }: OriginTrust,
): NamedTarget | UrlProblem {
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return 'no_http';
  if (isDowngrade(url.origin, by.origin)) return 'insecure';
  const target = targetOf(url);
  if (!isTrusted(url.origin)) return { target, trusted: false };
  const path = stripParameters(target.path, credentialNames);
  return { target: { origin: target.origin, path }, trusted: by.trusted };
}

/**
 * A request whose URL a field of a response named: without credentials that stand in it, as they are old
 * or the client's own. Those of the client are attached where they belong.
 * @throws {InvalidRequestError} a URL of plain http, if the API has https.
 */
export function namedByServer(
  spec: RequestSpec,
  { base, credentialNames }: BuildContext,
): RequestSpec {
  const { origin } = spec.target;
  if (isDowngrade(origin, base.origin)) throw invalidInput('path', urlProblems.insecure);
  const path = stripParameters(spec.target.path, credentialNames);
  return { ...spec, target: { origin, path } };
}

/** Whether what is sent to an origin can be read on its way: it is plain http, and not of this machine. */
export function isReadable(origin: string): boolean {
  return (
    origin.startsWith('http:') &&
    !/^(?:(?:.+\.)?localhost|127(?:\.\d{1,3}){3}|\[::1\])$/.test(new URL(origin).hostname)
  );
}

/** Whether one leaves an origin of https for one of plain http, where anybody on the way reads along. */
export function isDowngrade(to: string, from: string): boolean {
  return to.startsWith('http:') && from.startsWith('https:');
}
