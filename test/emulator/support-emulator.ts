import { request } from 'undici';
import { SupportClient } from '../../src/support/index.js';
import {
  createEmulator,
  type Emulator,
  type SupportEmulatorOptions,
  supportSeed,
} from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import type { ParsedResponse } from './send-request.js';

export const base = 'http://support.test/api/v2';

/** Creates an emulator and a client that calls the emulator in process. */
export function place(options: { seed?: boolean; support?: SupportEmulatorOptions } = {}) {
  const emulator = createEmulator({ ...noon, ...options });
  emulator.support.addUser(supportSeed);
  const client = new SupportClient({
    baseUrl: base,
    auth: supportSeed,
    dispatcher: emulator.dispatcher(),
  });
  return { emulator, client };
}

/**
 * Sends a request in process with undici.
 * @param what Method, path and query: `GET /contact?count=1`.
 * @param form Fields of a URL-encoded body.
 */
export async function raw(
  emulator: Emulator,
  what: string,
  form?: Record<string, string>,
): Promise<ParsedResponse & { readonly statusText: string }> {
  const [method = '', path = ''] = what.split(' ');
  const response = await request(base + path, {
    method: method as 'GET', // `as`: undici's type lists only known methods.
    dispatcher: emulator.dispatcher(),
    ...(form && {
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: new URLSearchParams(form).toString(),
    }),
  });
  const text = await response.body.text();
  const { statusCode: status, statusText, headers } = response;
  const data: unknown = text === '' ? undefined : JSON.parse(text);
  return { status, statusText, headers, text, data };
}

/** Opens a session for the seed's user and returns the access token. */
export async function getToken(emulator: Emulator): Promise<string> {
  const { data } = await raw(emulator, 'POST /authenticate', { ...supportSeed });
  return String(data.access_token);
}
