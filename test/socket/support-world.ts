import type { ServerResponse } from 'node:http';
import { onTestFinished } from 'vitest';
import { type ClientOptions, SupportClient } from '../../src/index.js';
import { type Seen, serve } from '../support/server.js';

/** Credentials for opening a session. */
export const auth = {
  userName: 'nightly',
  apiKey: 'api-key-of-nightly',
  password: 'pass-of-nightly',
};

interface World {
  readonly server: Awaited<ReturnType<typeof serve>>;
  readonly client: SupportClient;
  /** Returns the number of opened sessions. */
  sessions(): number;
  /** Expires the current token. */
  expire(): void;
}

interface Behaviour {
  readonly authenticate?: (response: ServerResponse, session: number) => void;
  readonly respond?: (request: Seen, response: ServerResponse) => void;
  readonly options?: Partial<ClientOptions>;
  readonly expires?: string;
}

/** Creates a client and a server that opens sessions. Closes both when the test ends. */
export async function world(behaviour: Behaviour = {}): Promise<World> {
  let sessions = 0;
  let valid = '';
  const server = await serve((request, response) => {
    if (request.url.endsWith('/authenticate')) {
      sessions += 1;
      if (behaviour.authenticate) return behaviour.authenticate(response, sessions);
      valid = `token-number-${sessions}`;
      const expires = behaviour.expires ?? '2099-01-01T00:00:00+0000';
      return response.end(JSON.stringify({ success: true, access_token: valid, expires }));
    }
    const sent = new URLSearchParams(`${request.url.split('?')[1] ?? ''}&${request.body}`).get(
      'access_token',
    );
    if (sent !== valid) {
      response.writeHead(401, 'The token is invalid or expired, please renew it');
      return response.end();
    }
    if (behaviour.respond) return behaviour.respond(request, response);
    return response.end(JSON.stringify({ success: true, logged_in: true, id: 1 }));
  });
  const client = new SupportClient({
    baseUrl: `${server.origin}/api/v2/`,
    auth,
    retry: false,
    ...behaviour.options,
  });
  onTestFinished(() => client.close());
  return {
    server,
    client,
    sessions: () => sessions,
    expire: () => {
      valid = 'expired';
    },
  };
}
