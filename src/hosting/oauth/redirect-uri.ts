import { InvalidRequestError } from '../../errors/index.js';
import { textOf } from '../../schema/unknown-values.js';

/**
 * Checks a `redirect_uri` by the rule of the service: host and port equal those of the application's
 * callback URL, and the path is the callback's or a subdirectory of it. A URL without a port has the
 * port of its scheme.
 *
 * Three checks are stricter than the rule, because the user arrives there with the code. Both URLs must
 * be http or https: no other scheme has a host and a port for browsers. A user name or password is
 * rejected, because it makes one host look like another. A path is rejected if a server could read it
 * as one outside of the directory (`..%2f`).
 * @param redirectUri URL that the user is sent to.
 * @param callbackUrl the callback URL that the application is registered with.
 * @returns the redirect URI as `URL` formats it. Send this one: it is the one that was compared.
 * @throws {InvalidRequestError} naming `redirectUri` and the rule it breaks, or `callbackUrl` if it
 * isn't an http or https URL.
 */
export function checkRedirectUri(redirectUri: string | URL, callbackUrl: string | URL): string {
  const redirect = httpUrl(redirectUri, 'redirectUri');
  const callback = httpUrl(callbackUrl, 'callbackUrl');
  const problem = problemOf(redirect, callback);
  if (problem === undefined) return redirect.href;
  throw new InvalidRequestError(`redirectUri: ${problem}`, { field: 'redirectUri' });
}

/** A URL that a browser can be sent back to. @throws {InvalidRequestError} naming `field`. */
export function httpUrl(given: string | URL, field: string): URL {
  const text = textOf(given);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new InvalidRequestError(`${field}: expected an absolute http or https URL`, { field });
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
  if (climbs(redirect.pathname)) return "'..' can not stand in the path, however it is written";
  const { pathname } = callback;
  const directory = pathname.endsWith('/') ? pathname : `${pathname}/`;
  return redirect.pathname === pathname || redirect.pathname.startsWith(directory)
    ? undefined
    : `the path must be that of the callback URL (${pathname}) or a subdirectory of it`;
}

/** `URL.port` is empty for the scheme's default port. */
function portOf({ port, protocol }: URL): string {
  return port || (protocol === 'https:' ? '443' : '80');
}

/**
 * `URL` resolves `..` and `%2e%2e`. Servers may go further: they decode the slash beside them, decode
 * twice, or cut parameters off (`..;`).
 */
function climbs(pathname: string): boolean {
  let path = pathname;
  for (let round = 0; round < 5; round += 1) {
    if (path.split(/[/\\]/).some((segment) => /^\.{1,2}(?![\w.-])/.test(segment))) return true;
    const decoded = path.replace(/%([0-7][0-9a-f])/gi, (_all, code: string) =>
      String.fromCharCode(Number.parseInt(code, 16)),
    );
    if (decoded === path) return false;
    path = decoded;
  }
  return true; // encoded deeper than any honest path
}
