import { consoleSeed, createEmulator, type Emulator } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { basic } from './send-request.js';

/** Console part of the seed. Creating the other APIs' records in each test would take too long. */
const appliance = createEmulator(noon).export().console;

/** Creates an emulator whose only seeded API is the console. */
export const createConsole = () => createEmulator({ ...noon, seed: { console: appliance } });

export interface Sent {
  readonly auth?: string | null;
  readonly type?: string;
  readonly body?: string | FormData | URLSearchParams;
}

export const signed = basic('license', consoleSeed.licenseMd5);

/** Returns functions that send in-process requests to the current emulator. */
export function callConsole(emulator: () => Emulator) {
  /** Sends a request to the appliance. @param what Method and path below `/setup/api`. */
  async function sendRequest(what: string, { auth = signed, type, body }: Sent = {}) {
    const [method = '', path = ''] = what.split(' ');
    const headers = {
      ...(auth === null ? {} : { authorization: auth }),
      ...(type === undefined ? {} : { 'content-type': type }),
    };
    const init = { method, headers, ...(body === undefined ? {} : { body }) };
    const url = `http://code.test/setup/api${path}`;
    const response = await emulator().respond(new Request(url, init));
    const text = await response.text();
    const isJson = text.startsWith('{') || text.startsWith('[');
    const data = isJson ? JSON.parse(text) : text;
    return { status: response.status, headers: response.headers, data };
  }

  /**
   * Requests the run's status `count` times. Returns the statuses, each with the first letters of
   * its steps' statuses.
   */
  async function pollStatus(count: number): Promise<string[]> {
    const seen: string[] = [];
    for (let requests = 0; requests < count; requests++) {
      const { status, data } = await sendRequest('GET /configcheck');
      const steps = (data.progress ?? []) as readonly { status: string }[]; // `as`: only `status` is read.
      seen.push(`${data.status ?? status} ${steps.map((step) => step.status[0]).join('')}`.trim());
    }
    return seen;
  }

  /** Returns the appliance's `enterprise` settings. */
  const enterprise = () => emulator().console.settings.enterprise as Record<string, unknown>; // `as`: `enterprise` is an object.

  return { sendRequest, pollStatus, enterprise };
}

export function createForm(fields: Readonly<Record<string, string | File>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

export const createFields = (fields: Record<string, string>) => new URLSearchParams(fields);
export const pack = (name = 'a.pkg') => new File(['bytes'], name);
