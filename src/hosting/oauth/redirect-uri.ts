import { InvalidRequestError } from '../../errors/index.js';
import { textOf } from '../../schema/unknown-values.js';

/**
 * Holds a `redirect_uri` against the rule of the service: host
 * and port are those of the application's callback URL, and the path is the callback's or a
 * subdirectory of it. Stricter than the rule: both are http or https URLs of the same scheme, without
 * user name and password, and no reading of the path by a server leads out of the directory.
 * @param redirectUri where the user is to be sent.
 * @param callbackUrl what the application is registered with.
 * @returns the redirect URI as `URL` writes it, which is what was compared and what is to be sent.
 * @throws {InvalidRequestError} naming `redirectUri`, with what does not fit; naming `callbackUrl` where that is no such URL.
 */
export function checkRedirectUri(redirectUri: string | URL, callbackUrl: string | URL): string {
  const redirect = httpUrl(redirectUri, 'redirectUri');
  const callback = httpUrl(callbackUrl, 'callbackUrl');
  const problem = problemOf(redirect, callback);
  if (problem === undefined) return redirect.href;
  throw new InvalidRequestError(`redirectUri: ${problem}`, 'redirectUri');
}

/** A URL that a browser can be sent back to. @throws {InvalidRequestError} naming `field`. */
export function httpUrl(given: string | URL, field: string): URL {
  const text = textOf(given);
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url?.protocol === 'http:' || url?.protocol === 'https:') return url;
  throw new InvalidRequestError(`${field}: expected an absolute http or https URL`, field);
}

function problemOf(redirect: URL, callback: URL): string | undefined {
  // A user name is how one host is made to look like another.
  if (redirect.username !== '' || redirect.password !== '') {
    return 'a user name or password can not stand in it';
  }
  if (redirect.hostname !== callback.hostname) {
    return `the host must be that of the callback URL (${callback.hostname})`;
  }
  if (redirect.protocol !== callback.protocol) {
    return `the scheme must be that of the callback URL (${callback.protocol.slice(0, -1)})`;
  }
  // A port that is the scheme's own is none to a URL.
  if (redirect.port !== callback.port) return 'the port must be that of the callback URL';
  if (climbs(redirect.pathname)) return "'..' can not stand in the path, however it is written";
  const { pathname } = callback;
  const directory = pathname.endsWith('/') ? pathname : `${pathname}/`;
  return redirect.pathname === pathname || redirect.pathname.startsWith(directory)
    ? undefined
    : `the path must be that of the callback URL (${pathname}) or a subdirectory of it`;
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
