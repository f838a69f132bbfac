import { consoleSeed } from './console/emulator.js';
import type { Emulator } from './emulator.js';
import { seeded } from './hosting/seed.js';
import { supportSeed } from './support/seed.js';

/** Connection details of one of the APIs. */
export interface Connection {
  /** Name of the API. */
  readonly name: string;
  /** Base URL. */
  readonly url: string;
  /** Valid credentials of the seed world, by name. */
  readonly credentials: Readonly<Record<string, string>>;
}

/** Returns the base URL of each API, with the seed world's credentials that are still valid. */
export function listConnections(emulator: Emulator, origin: string): Connection[] {
  const { hosting, support, console: appliance } = emulator;
  const { token, login, password, clientId, clientSecret } = seeded;
  const users = [...support.state.sessions.users];
  const hasUser = users.some(({ userName }) => userName === supportSeed.userName);
  const { licenseMd5 } = consoleSeed;
  return [
    {
      name: 'Hosting API',
      url: `${origin}/api/v3/`,
      credentials: {
        ...(hosting.state.tokens.has(token) && { token }),
        ...(hosting.state.accounts.get(login)?.password === password && { login, password }),
      },
    },
    {
      name: 'OAuth',
      url: origin,
      credentials: hosting.state.applications.has(clientId) ? { clientId, clientSecret } : {},
    },
    { name: 'Support API', url: `${origin}/api/v2/`, credentials: hasUser ? supportSeed : {} },
    {
      name: 'Management Console API',
      url: `${origin}/`,
      credentials: appliance.licenseMd5 === licenseMd5 ? { licenseMd5 } : {},
    },
  ];
}
