import { control } from '../../src/testing/control.js';
import type { Emulator } from '../../src/testing/index.js';

/** Returns a function that calls the current emulator's control API in process. */
export function callControl(emulator: () => Emulator) {
  /**
   * Sends a request to the control API.
   * @param what Method and path below `/_emulator`.
   * @param body Sent as JSON, or unchanged if the body is a string.
   */
  return async function send(what: string, body?: unknown) {
    const [method = '', path = ''] = what.split(' ');
    const text = typeof body === 'string' || body === undefined ? body : JSON.stringify(body);
    const init = { method, ...(text === undefined ? {} : { body: text }) };
    const request = new Request(`http://code.test/_emulator${path}`, init);
    const response = await control(emulator(), request);
    if (!response) throw new Error(`${what} is not for the control API`);
    const output = await response.text();
    const type = response.headers.get('content-type') ?? '';
    const data = type.includes('json') && output !== '' ? JSON.parse(output) : output;
    return { status: response.status, headers: response.headers, type, data };
  };
}
