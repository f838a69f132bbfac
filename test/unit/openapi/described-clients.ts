import * as z from 'zod';
import { HostingClient } from '../../../src/hosting/index.js';
import { ConsoleClient, SupportClient } from '../../../src/index.js';

export const hosting = new HostingClient({ baseUrl: 'https://code.test/api/v3/' });
export const support = new SupportClient({
  baseUrl: 'https://support.test/api/v2/',
  auth: { accessToken: 'token' },
});
export const appliance = new ConsoleClient({ baseUrl: 'https://code.test:8443' });
export const Issue = z.object({ number: z.int(), title: z.string() });

/** Returns the value that the keys lead to. */
export function read(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((inner, key) => Object(inner)[key], value);
}

/** Returns the successful JSON response's schema. */
export function readSchema(
  document: unknown,
  path: string,
  verb: string,
  type = 'application/json',
) {
  return read(document, 'paths', path, verb, 'responses', '2XX', 'content', type, 'schema');
}
