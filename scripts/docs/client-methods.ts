import { OAuthWebFlow } from '../../src/hosting/index.js';
import { ConsoleClient, HostingClient, SupportClient } from '../../src/index.js';
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
  /** Declared endpoint. Undefined if the method builds its requests in code. */
  readonly endpoint: AnyEndpoint | undefined;
}

const baseUrl = 'https://code.example.com/';

/** Returns every method of the clients and their resources, with its declared endpoint. */
export function clientMethods(): ClientMethod[] {
  const clients: Readonly<Record<string, object>> = {
    hosting: new HostingClient({ baseUrl }),
    oauth: new OAuthWebFlow({
      authUrl: baseUrl,
      clientId: 'a'.repeat(20),
      clientSecret: 'b'.repeat(40),
    }),
    support: new SupportClient({ baseUrl, auth: { accessToken: 'token' } }),
    appliance: new ConsoleClient({ baseUrl, auth: { licenseMd5: '0'.repeat(32) } }),
  };
  return Object.entries(clients).flatMap(([name, client]) => [
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
  const { call, list, listByOffset } = ApiClient.prototype;
  const take = (endpoint: AnyEndpoint) => {
    found ??= endpoint;
    throw new Error('nothing is sent');
  };
  Object.assign(ApiClient.prototype, { call: take, list: take, listByOffset: take });
  try {
    const created = act();
    if (created instanceof Promise) created.catch(() => undefined);
  } catch {
    // The empty input is invalid, or `take` threw.
  } finally {
    Object.assign(ApiClient.prototype, { call, list, listByOffset });
  }
  return found;
}
