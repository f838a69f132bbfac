import { consoleSeed, type Emulator } from '../../src/testing/index.js';
import { basic, origin } from './send-request.js';

/** Sends an in-process request to the support API or the console. */
export async function other(
  of: Emulator,
  what: string,
  form?: Record<string, string>,
  type?: string,
) {
  const [method = '', path = ''] = what.split(' ');
  const headers = {
    authorization: basic('license', consoleSeed.licenseMd5),
    ...(type && { 'content-type': type }),
  };
  const body = form && new URLSearchParams(form);
  const init = { method, headers, ...(body && { body: type ? String(body) : body }) };
  const response = await of.respond(new Request(origin + path, init));
  return { status: response.status, data: JSON.parse((await response.text()) || 'null') };
}
