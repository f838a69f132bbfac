import { createEmulator, type Emulator, type NewApplication } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { sendRequest } from './send-request.js';

export const documentation = 'https://developer.example.com/v3/oauth/';
export const callbackUrl = 'https://app.test/cb';

export const form = (fields: Record<string, string>) => new URLSearchParams(fields).toString();
export const asForm = { 'content-type': 'application/x-www-form-urlencoded' };

/** Creates an emulator with the users `ada` and `eve`. */
export function createFlowEmulator(): Emulator {
  const emulator = createEmulator({ ...noon, seed: false });
  emulator.hosting.addUser('ada');
  emulator.hosting.addUser('eve');
  return emulator;
}

/** Returns the redirect's URL and parameters, or the status if the response isn't a redirect. */
export function parseRedirect({ status, headers }: Awaited<ReturnType<typeof sendRequest>>): {
  readonly status?: number;
  readonly to?: string;
  readonly code?: string;
  readonly error?: string;
} {
  if (status !== 302) return { status };
  const { origin, pathname, searchParams } = new URL(String(headers.location));
  return { to: origin + pathname, ...Object.fromEntries(searchParams) };
}

/** Returns functions that register applications and call the web flow of the current emulator. */
export function callWebFlow(emulator: () => Emulator) {
  function application(input: NewApplication = {}) {
    emulator().hosting.addApplication('<App> & "Co"', {
      ...{ clientId: 'id', clientSecret: 's', callbackUrl, url: 'https://app.test/?a&b', ...input },
    });
  }

  const authorize = async (fields: Record<string, string> = {}) =>
    await sendRequest(
      emulator(),
      `GET /login/oauth/authorize?${form({ client_id: 'id', ...fields })}`,
      {
        auth: null,
      },
    );

  const decide = async (fields: Record<string, string> = {}) => {
    const body = form({ client_id: 'id', decision: 'approve', ...fields });
    return await sendRequest(emulator(), 'POST /login/oauth/authorize', {
      auth: null,
      body,
      headers: asForm,
    });
  };

  const getCode = async (fields: Record<string, string> = {}): Promise<string> => {
    return parseRedirect(await decide(fields)).code ?? '';
  };

  async function exchange(fields: Record<string, string>, accept = 'application/json') {
    const body = form({ client_id: 'id', client_secret: 's', ...fields });
    const headers = { ...asForm, accept };
    return await sendRequest(emulator(), 'POST /login/oauth/access_token', {
      auth: null,
      body,
      headers,
    });
  }

  return { application, authorize, decide, getCode, exchange };
}
