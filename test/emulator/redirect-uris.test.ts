import { beforeEach, describe, expect, test } from 'vitest';
import { createEmulator, type Emulator } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { sendRequest } from './send-request.js';

let emulator: Emulator;

beforeEach(() => {
  emulator = createEmulator(noon);
});

describe('OAuth web flow', () => {
  const flow = async (redirectUri: string, callbackUrl = 'http://127.0.0.1:4321/callback') => {
    const { clientId } = emulator.hosting.addApplication('Mine', { callbackUrl });
    emulator.hosting.signedIn = 'ada-0';
    const query = new URLSearchParams({ client_id: clientId, redirect_uri: redirectUri });
    const { status, headers } = await sendRequest(emulator, `GET /login/oauth/authorize?${query}`, {
      auth: null,
    });
    return status === 302 ? new URL(String(headers.location)).searchParams.get('error') : status;
  };

  test.each([
    ['http://127.0.0.1:4321/callback', 200],
    ['http://127.0.0.1:4321/callback/below', 200],
    ['https://127.0.0.1:4321/callback', 200], // Only host, port and path are compared.
    ['http://127.0.0.1:4322/callback', 'redirect_uri_mismatch'],
    ['http://localhost:4321/callback', 'redirect_uri_mismatch'],
    ['http://127.0.0.1:4321/', 'redirect_uri_mismatch'],
    ['http://127.0.0.1:4321/callbacks', 'redirect_uri_mismatch'],
    ['http://127.0.0.1:4321/callback/../other', 'redirect_uri_mismatch'],
    ['http://127.0.0.1:4321/callback/..%2fother', 'redirect_uri_mismatch'],
    ['javascript://127.0.0.1:4321/callback', 'redirect_uri_mismatch'],
  ])('the authorize endpoint responds to redirect_uri %s with %s', async (redirectUri, outcome) => {
    expect(await flow(redirectUri)).toBe(outcome);
  });

  test('the authorize endpoint treats the default ports of https and http as different', async () => {
    expect(await flow('https://app.test/cb', 'http://app.test/cb')).toBe('redirect_uri_mismatch');
    expect(await flow('https://app.test:443/cb', 'https://app.test/cb')).toBe(200);
  });

  test('the emulator exchanges a code only for the redirect_uri of the authorization request', async () => {
    const callbackUrl = 'http://127.0.0.1:4321/callback';
    const { clientId, clientSecret } = emulator.hosting.addApplication('Mine', { callbackUrl });
    emulator.hosting.addToken('mona', ['gist'], { clientId });
    const codeFor = async () => {
      const query = new URLSearchParams({ client_id: clientId, redirect_uri: `${callbackUrl}/a` });
      const { headers } = await sendRequest(emulator, `GET /login/oauth/authorize?${query}`, {
        auth: null,
      });
      return new URL(String(headers.location)).searchParams.get('code') ?? '';
    };
    const exchange = async (redirectUri: string) => {
      const code = await codeFor();
      const body = {
        client_id: clientId,
        client_secret: clientSecret,
        code,
        redirect_uri: redirectUri,
      };
      const headers = { accept: 'application/json' };
      return (
        await sendRequest(emulator, 'POST /login/oauth/access_token', { auth: null, body, headers })
      ).data;
    };
    expect((await exchange(`${callbackUrl}/b`)).error).toBe('bad_verification_code');
    expect((await exchange(`${callbackUrl}/a`)).scope).toBe('gist');
  });
});
