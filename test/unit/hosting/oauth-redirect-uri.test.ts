import { describe, expect, test } from 'vitest';
import { checkRedirectUri } from '../../../src/hosting/oauth/redirect-uri.js';
import { about } from '../about.js';
import { createFlow, thrownBy } from './oauth-flow.js';

describe('checkRedirectUri()', () => {
  const callback = 'https://app.test/path/callback';

  test.each([
    [callback],
    ['https://app.test:443/path/callback'],
    ['https://app.test/path/callback?next=1#top'],
    ['https://APP.test/path/callback/deeper/still'],
    ['https://app.test/path/callback/a/../b'],
    ['https://app.test/path/x/../callback'],
  ])('allows the redirect URI %s', (uri) => {
    expect(() => checkRedirectUri(uri, callback)).not.toThrow();
  });

  test.each([
    ['https://app.test/path/callback-evil', 'path'],
    ['https://app.test/path', 'path'],
    ['https://app.test/', 'path'],
    ['https://app.test/path/Callback', 'path'],
    ['https://app.test/path/callback/../../evil', 'path'],
    ['https://app.test/path/callback/%2e%2e/evil', 'path'],
    ['https://app.test/path/callback/..%2fevil', "'..'"],
    ['https://app.test/path/callback/%2E.%5Cevil', "'..'"],
    ['https://app.test\\path\\callback\\..\\evil', 'path'],
    ['https://app.test:8443/path/callback', 'port'],
    ['http://app.test/path/callback', 'https'],
    ['http://app.test:443/path/callback', 'https'],
    ['https://evil.test/path/callback', 'host'],
    ['https://app.test.evil.test/path/callback', 'host'],
    ['https://app.test@evil.test/path/callback', 'username'],
    ['https://me@app.test/path/callback', 'username'],
    ['https://:pw@app.test/path/callback', 'username'],
    ['//app.test/path/callback', 'absolute http or https URL'],
  ])('rejects the redirect URI %s and mentions "%s" in the error', (uri, reason) => {
    const error = thrownBy(() => checkRedirectUri(uri, callback));
    expect(error).toMatchObject({ code: 'invalid_request', field: 'redirectUri' });
    expect(String(error)).toContain(reason);
  });

  test('accepts a directory or the root as the registered callback URL', () => {
    expect(() => checkRedirectUri('https://app.test/cb/x', 'https://app.test/cb/')).not.toThrow();
    expect(() => checkRedirectUri('https://app.test/cb', 'https://app.test/cb/')).toThrow(
      expect.objectContaining({ field: 'redirectUri', message: about('redirectUri', /path/) }),
    );
    expect(() => checkRedirectUri('https://app.test/any', 'https://app.test')).not.toThrow();
    expect(() => checkRedirectUri('http://app.test:80/', 'http://app.test')).not.toThrow();
  });

  test.each([
    ['the scheme javascript:', 'javascript:alert(1)', 'javascript:alert(1)'],
    ['the scheme ftp:', 'ftp://app.test/oauth/cb', 'ftp://app.test/oauth/cb'],
    ['a custom scheme', 'app://app.test/cb', 'app://app.test/cb'],
    [
      'dots before path parameters',
      'https://app.test/oauth/cb/..;/evil',
      'https://app.test/oauth/cb',
    ],
    [
      'double-encoded dots',
      'https://app.test/oauth/cb/%252e%252e/evil',
      'https://app.test/oauth/cb',
    ],
    [
      'dots encoded many times',
      `https://app.test/cb/%${'25'.repeat(50)}2e./x`,
      'https://app.test/cb',
    ],
    [
      'a letter encoded many times',
      `https://app.test/cb/%${'25'.repeat(9)}41`,
      'https://app.test/cb',
    ],
    ['a double-encoded slash', 'https://app.test/cb/x%252f..%252fevil', 'https://app.test/cb'],
    ['fullwidth dots', 'https://app.test/cb/%ef%bc%8e%ef%bc%8e/evil', 'https://app.test/cb'],
    ['dots in overlong UTF-8', 'https://app.test/cb/%c0%ae%c0%ae/x', 'https://app.test/cb'],
    ['an encoded semicolon', 'https://app.test/cb/..%3bx/evil', 'https://app.test/cb'],
    ['dots before an encoded NUL', 'https://app.test/cb/..%00/evil', 'https://app.test/cb'],
  ])('rejects a redirect URI with %s', (_name, redirect, registered) => {
    expect(thrownBy(() => checkRedirectUri(redirect, registered))).toMatchObject({
      code: 'invalid_request',
      field: 'redirectUri',
    });
  });

  test.each([
    'https://app.test/cb/.well-known',
    'https://app.test/cb/a%20b',
    'https://app.test/cb/...',
  ])('accepts the redirect URI %s', (redirect) => {
    expect(checkRedirectUri(redirect, 'https://app.test/cb')).toBe(redirect);
  });

  test.each(['/cb', 'javascript:alert(1)'])('rejects the invalid callback URL %s', (registered) => {
    expect(thrownBy(() => checkRedirectUri(callback, registered))).toMatchObject({
      field: 'callbackUrl',
    });
  });
});

describe('authorizeUrl()', () => {
  test('normalizes the redirect URI', () => {
    const odd = 'HTTPS://APP.test:443\\cb\\a/../b';
    const options = [{ callbackUrl: 'https://app.test/cb' }, {}];
    for (const each of options) {
      const { url } = createFlow(each).authorizeUrl({ redirectUri: odd });
      expect(new URL(url).searchParams.get('redirect_uri')).toBe('https://app.test/cb/b');
    }
    expect(
      thrownBy(() => createFlow().authorizeUrl({ redirectUri: 'javascript:alert(1)' })),
    ).toMatchObject({
      field: 'redirectUri',
    });
  });
});
