import { InvalidRequestError } from '../errors.js';

/**
 * Holds a `redirect_uri` against the rule of the service (contract section "OAuth web flow"): host
 * and port are those of the application's callback URL, and the path is the callback's or a
 * subdirectory of it, once `..` is resolved. The scheme counts only through its default port.
 * @param redirectUri where the user is to be sent.
 * @param callbackUrl what the application is registered with.
 * @throws {InvalidRequestError} naming `redirect_uri`, with what does not fit; naming `callbackUrl` where that is no URL.
 */
export function checkRedirectUri(redirectUri: string | URL, callbackUrl: string | URL): void {
  const redirect = urlOf(redirectUri, 'redirect_uri');
  const callback = urlOf(callbackUrl, 'callbackUrl');
  const problem = problemOf(redirect, callback);
  if (problem !== undefined) {
    throw new InvalidRequestError(`redirect_uri: ${problem}`, 'redirect_uri');
  }
}

function problemOf(redirect: URL, callback: URL): string | undefined {
  // A user name is how one host is made to look like another.
  if (redirect.username !== '' || redirect.password !== '') {
    return 'a user name or password can not stand in it';
  }
  if (redirect.hostname !== callback.hostname) {
    return `the host must be that of the callback URL (${callback.hostname})`;
  }
  if (portOf(redirect) !== portOf(callback)) {
    return `the port must be that of the callback URL (${portOf(callback)})`;
  }
  if (climbs(redirect.pathname)) return "an encoded '..' can not stand in the path";
  const { pathname } = callback;
  const directory = pathname.endsWith('/') ? pathname : `${pathname}/`;
  return redirect.pathname === pathname || redirect.pathname.startsWith(directory)
    ? undefined
    : `the path must be that of the callback URL (${pathname}) or a subdirectory of it`;
}

function urlOf(given: string | URL, field: string): URL {
  const text = String(given);
  if (!URL.canParse(text))
    throw new InvalidRequestError(`${field}: expected an absolute URL`, field);
  return new URL(text);
}

function portOf(url: URL): string {
  if (url.port !== '') return url.port;
  return url.protocol === 'http:' ? '80' : url.protocol === 'https:' ? '443' : '';
}

/** `URL` resolves `..` and `%2e%2e`, but not where the slash beside them is encoded. */
function climbs(pathname: string): boolean {
  const parts = pathname.replace(/%2f|%5c/gi, '/').split(/[/\\]/);
  return parts.some((part) => /^(?:\.|%2e){1,2}$/i.test(part));
}
