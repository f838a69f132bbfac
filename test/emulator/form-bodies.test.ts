import { beforeEach, describe, expect, test } from 'vitest';
import { createEmulator, type Emulator, seeded } from '../../src/testing/index.js';
import { sendRequest } from './send-request.js';

let emulator: Emulator;
beforeEach(() => {
  emulator = createEmulator();
});

/** Sends a form with an invalid code to the access token endpoint. */
const exchange = (type: string, body?: string) =>
  sendRequest(emulator, 'POST /login/oauth/access_token', {
    auth: null,
    body,
    headers: { accept: 'application/json', 'content-type': type },
  });
const multipart = 'multipart/form-data; boundary=x';
const fields = { client_id: seeded.clientId, client_secret: seeded.clientSecret, code: 'none' };

describe('POST /login/oauth/access_token', () => {
  test('POST /login/oauth/access_token responds identically to multipart and URL-encoded forms', async () => {
    const parts = Object.entries(fields).map(
      ([name, value]) =>
        `--x\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`,
    );
    const inParts = await exchange(multipart, `${parts.join('')}--x--\r\n`);
    const type = 'application/x-www-form-urlencoded';
    const inLine = await exchange(type, new URLSearchParams(fields).toString());
    expect(inLine.data).toMatchObject({ error: 'bad_verification_code' });
    expect([inParts.status, inParts.data]).toEqual([inLine.status, inLine.data]);
  });

  test('POST /login/oauth/access_token responds identically to empty multipart and URL-encoded forms', async () => {
    const empty = await exchange('application/x-www-form-urlencoded');
    const none = await exchange(multipart);
    expect([none.status, none.data]).toEqual([empty.status, empty.data]);
  });
});
