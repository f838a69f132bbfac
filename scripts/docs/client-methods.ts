import { OAuthWebFlow } from '../../src/hosting/index.js';
import {
  type ClientOptions,
  ConsoleClient,
  HostingClient,
  SupportClient,
} from '../../src/index.js';
import { consoleSeed, seeded, supportSeed } from '../../src/testing/index.js';
import { ApiClient } from '../../src/transport/api-client.js';
import type { Endpoint } from '../../src/transport/request/endpoint.js';

/** An endpoint with any input and response. */
export type AnyEndpoint = Endpoint<never, unknown>;

/** A method that users call, and its endpoint. */
export interface ClientMethod {
  /** Full name, such as `hosting.pulls.list` or `appliance.settings.get`. */
  readonly name: string;
  readonly className: string;
  readonly method: string;
  /** Undefined if the method sends no request, or its requests have several endpoints. */
  readonly endpoint: AnyEndpoint | undefined;
}

/** Creates a client for each API, with the seed's credentials. */
export function createClients(options: Pick<ClientOptions, 'dispatcher' | 'hooks'> = {}) {
  const url = 'https://code.example.com';
  const { clientId, clientSecret, login: username, password } = seeded;
  const { licenseMd5 } = consoleSeed;
  return {
    hosting: new HostingClient({
      ...options,
      baseUrl: `${url}/api/v3`,
      auth: { type: 'basic', username, password },
    }),
    oauth: new OAuthWebFlow({ authUrl: url, clientId, clientSecret }),
    support: new SupportClient({ ...options, baseUrl: `${url}/api/v2`, auth: supportSeed }),
    appliance: new ConsoleClient({ ...options, baseUrl: url, auth: { licenseMd5 } }),
  };
}

/** Returns every method of the clients and their resources, with its declared endpoint. */
export function clientMethods(): ClientMethod[] {
  return Object.entries(createClients()).flatMap(([name, client]) => [
    ...listMethods(name, client),
    ...Object.entries(client).flatMap(([key, value]: [string, unknown]) =>
      typeof value === 'object' && value !== null ? listMethods(`${name}.${key}`, value) : [],
    ),
  ]);
}

function listMethods(path: string, target: object): ClientMethod[] {
  const prototype: object = Object.getPrototypeOf(target);
  return Object.entries(Object.getOwnPropertyDescriptors(prototype)).flatMap(
    ([method, { value }]) => {
      if (method === 'constructor' || typeof value !== 'function') return [];
      const endpoint = captureEndpoint(() => Reflect.apply(value, target, [{}]));
      return [{ name: `${path}.${method}`, className: target.constructor.name, method, endpoint }];
    },
  );
}

/** Returns the endpoint that a method passes to its client. Sends no request. */
function captureEndpoint(act: () => unknown): AnyEndpoint | undefined {
  let found: AnyEndpoint | undefined;
  const { call, list, createList } = ApiClient.prototype;
  const take = (endpoint: Partial<AnyEndpoint>) => {
    // `request` and `paginate` pass a route, which has no path yet. `as`: all others are declared.
    if (endpoint.path !== undefined) found ??= endpoint as AnyEndpoint;
    throw new Error('nothing is sent');
  };
  Object.assign(ApiClient.prototype, { call: take, list: take, createList: take });
  try {
    const created = act();
    if (created instanceof Promise) created.catch(() => undefined);
  } catch {
    // The empty input is invalid, or `take` threw.
  } finally {
    Object.assign(ApiClient.prototype, { call, list, createList });
  }
  return found;
}
