import { describe, expect, onTestFinished, test } from 'vitest';
import { HostingClient, OAuthWebFlow } from '../../src/hosting/index.js';
import { createEmulator } from '../../src/testing/index.js';
import { rejectionOf } from '../support/client.js';

const callbackUrl = 'http://127.0.0.1:1/callback';

async function world(secretOfFlow?: string) {
  const emulator = createEmulator();
  const { url: authUrl, hostingUrl } = await emulator.listen();
  const application = emulator.hosting.addApplication('App', { callbackUrl });
  const { clientId, clientSecret } = application;
  const flow = new OAuthWebFlow({
    authUrl,
    clientId,
    clientSecret: secretOfFlow ?? clientSecret,
  });
  const hosting = new HostingClient({ baseUrl: hostingUrl });
  onTestFinished(async () => {
    await Promise.all([flow.close(), hosting.close()]);
    await emulator.close();
  });
  /** Acts as the user's browser and returns the callback URL. */
  const decide = async (authorizeUrl: string, decision: 'approve' | 'deny') => {
    const { searchParams, origin, pathname } = new URL(authorizeUrl);
    const body = new URLSearchParams([...searchParams, ['decision', decision]]);
    const response = await fetch(origin + pathname, { method: 'POST', body, redirect: 'manual' });
    return response.headers.get('location') ?? '';
  };
  return { application, flow, hosting, decide };
}

describe('OAuthWebFlow with the emulator', () => {
  test.each(['json', 'form', 'xml'] as const)(
    'OAuthWebFlow exchanges a code for a token in the %s format',
    async (format) => {
      const { flow, hosting, decide } = await world();
      const { url, state } = flow.authorizeUrl({ scopes: ['user', 'user:email', 'gist'] });
      const { code } = flow.parseCallback(await decide(url, 'approve'), { state });
      const requestedScopes = ['user:email', 'gist', 'repo'];
      const token = await flow.exchangeCode({ code, format, requestedScopes });
      expect(token).toMatchObject({
        tokenType: 'bearer',
        scopes: ['user', 'gist'],
        missingScopes: ['repo'],
      });
      const auth = { type: 'token', token: token.accessToken } as const;
      const page = await hosting.withAuth(auth).starring.listStarred().pages().next();
      expect(page.value?.response.scopes.granted).toEqual(['user', 'gist']);
    },
  );

  test('OAuthWebFlow rejects a code that was already used', async () => {
    const { flow, decide } = await world();
    const { url, state } = flow.authorizeUrl();
    const { code } = flow.parseCallback(await decide(url, 'approve'), { state });
    await flow.exchangeCode({ code });
    for (const format of ['json', 'form', 'xml'] as const) {
      expect(await rejectionOf(flow.exchangeCode({ code, format }))).toMatchObject({
        code: 'oauth',
        error: 'bad_verification_code',
        errorDescription: expect.stringContaining('incorrect or expired'),
        errorUri: expect.stringContaining('#bad-verification-code'),
      });
    }
  });
});

test('OAuthWebFlow reports errors from the callback', async () => {
  const { application, flow, decide } = await world();
  const read = async (redirectUri?: string) => {
    const { url, state } = flow.authorizeUrl({ redirectUri });
    const callback = await decide(url, 'deny');
    return await rejectionOf((async () => flow.parseCallback(callback, { state }))());
  };
  expect(await read()).toMatchObject({ error: 'access_denied' });
  expect(await read('http://127.0.0.1:1/elsewhere')).toMatchObject({
    error: 'redirect_uri_mismatch',
  });
  application.suspended = true;
  expect(await read()).toMatchObject({ error: 'application_suspended' });
});

test('OAuthWebFlow reports errors from the code exchange', async () => {
  const { flow } = await world('x'.repeat(40));
  expect(await rejectionOf(flow.exchangeCode({ code: 'any' }))).toMatchObject({
    error: 'incorrect_client_credentials',
  });
});
