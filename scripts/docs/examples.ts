import { ConsoleClient, HostingClient, type RawRequest, SupportClient } from '../../src/index.js';
import { consoleSeed, createEmulator, seeded, supportSeed } from '../../src/testing/index.js';
import { compileTemplate } from '../../src/transport/request/uri-template.js';
import type { AnyEndpoint } from '../docs/client-methods.js';

/** Values of path variables in the emulator's seed. An `id` comes from the list before it. */
const values: Readonly<Record<string, string>> = {
  ...seeded,
  org: seeded.owner,
  username: seeded.login,
  client_id: seeded.clientId,
  access_token: seeded.token,
  number: '1',
  contact_id: '1',
  case_id: '1',
  type: 'all',
  path: 'README.md',
  ref: 'heads/main',
  namespace: 'heads/feature',
  tag: 'v0.1.0',
};

/** Returns a function that gets the seeded emulator's response to a GET; undefined if it has none. */
export function exampleReader() {
  const dispatcher = createEmulator({ clock: '2014-06-01T12:00:00Z' }).dispatcher();
  const baseUrl = 'https://code.example.com';
  const hosting = (auth: ConstructorParameters<typeof HostingClient>[0]['auth']) =>
    new HostingClient({ baseUrl: `${baseUrl}/api/v3`, dispatcher, auth });
  const application = { clientId: seeded.clientId, clientSecret: seeded.clientSecret };
  const clients: Readonly<Record<string, { request(request: RawRequest): Promise<unknown> }>> = {
    hosting: hosting({ type: 'token', token: seeded.token }),
    basic: hosting({ type: 'basic', username: seeded.login, password: seeded.password }),
    application: hosting({ type: 'application', ...application }),
    support: new SupportClient({ baseUrl: `${baseUrl}/api/v2`, dispatcher, auth: supportSeed }),
    console: new ConsoleClient({
      baseUrl,
      dispatcher,
      auth: { licenseMd5: consoleSeed.licenseMd5 },
    }),
  };
  const ids = new Map<string, string>();
  return async (family: string, { method, path, auth }: AnyEndpoint): Promise<unknown> => {
    const client = clients[auth ?? family];
    if (method !== 'GET' || client === undefined) return undefined;
    const template = compileTemplate(path);
    const variables = template.variables.map(({ name, exploded }) => {
      const value = name === 'id' ? ids.get(path.replace(/\/\{id\}.*/, '')) : values[name];
      return [name, exploded ? value?.split('/') : value] as const;
    });
    if (variables.some(([, value]) => value === undefined)) return undefined;
    const found = await client
      .request({ path: template.expand(Object.fromEntries(variables)) })
      .catch(() => undefined);
    const [item] = Array.isArray(found) ? found : [];
    const id: unknown = Object(item).id;
    if (id !== undefined) ids.set(path.replace('/orgs/{org}', ''), String(id));
    return shorten(found);
  };
}

/** Keeps the first item of each list of objects or lists, and three strings or numbers. */
function shorten(value: unknown): unknown {
  if (Array.isArray(value))
    return value.slice(0, typeof value[0] === 'object' ? 1 : 3).map(shorten);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, shorten(each)]));
}
