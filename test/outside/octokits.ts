import { createRequire } from 'node:module';
import { consoleSeed, seeded } from '../../src/testing/index.js';
import type { Identity } from './row.js';

/** A response from octokit. */
interface OctokitResponse {
  readonly status: number;
  readonly data: unknown;
}

/** A third-party client. */
export interface ForeignClient {
  /** Calls a method by name, such as `repos.createRelease`. */
  call(method: string, parameters: object): Promise<OctokitResponse>;
  paginate(method: string, parameters: object): Promise<unknown[]>;
}

/** A generation of octokit clients. */
export interface Era {
  readonly name: string;
  /** HTTP method and path by method name. */
  readonly routes: ReadonlyMap<string, string>;
  /**
   * Creates a client.
   * @param auth Value of the `auth` option in this generation's constructor.
   */
  open(baseUrl: string, auth: unknown): ForeignClient;
}

type Method = ((parameters: object) => Promise<OctokitResponse>) & {
  readonly endpoint: {
    merge(parameters: object): object;
    readonly DEFAULTS: { readonly method: string; readonly url: string };
  };
};

type Scopes = Readonly<Record<string, unknown>>;

interface Paginating {
  paginate(what: unknown, parameters?: object): Promise<unknown[]>;
}

type OldConstructor = new (options: object) => Scopes & Paginating;
type NewConstructor = new (options: object) => Paginating & { readonly rest: Scopes };

const require = createRequire(import.meta.url);
const silent = { debug() {}, info() {}, warn() {}, error() {} };

function isMethod(value: unknown): value is Method {
  return typeof value === 'function' && 'endpoint' in value;
}

/** Returns methods by name, such as `pulls.list`. */
function getMethods(scopes: Scopes): ReadonlyMap<string, Method> {
  const methods = new Map<string, Method>();
  for (const [scope, members] of Object.entries(scopes)) {
    if (typeof members !== 'object' || members === null) continue;
    for (const name of Object.keys(members)) {
      const method: unknown = Reflect.get(members, name);
      if (isMethod(method)) methods.set(`${scope}.${name}`, method);
    }
  }
  return methods;
}

function getMethod(scopes: Scopes, name: string): Method {
  const [scope = '', member = ''] = name.split('.');
  const members = scopes[scope];
  const method: unknown =
    typeof members === 'object' && members !== null ? Reflect.get(members, member) : undefined;
  if (!isMethod(method)) throw new Error(`the client has no method ${name}`);
  return method;
}

function findRoutes(scopes: Scopes): ReadonlyMap<string, string> {
  const entries = [...getMethods(scopes)].map(([name, { endpoint }]): [string, string] => {
    return [name, `${endpoint.DEFAULTS.method} ${endpoint.DEFAULTS.url}`];
  });
  return new Map(entries);
}

const Old: OldConstructor = (() => {
  const Base: { plugin(plugin: unknown): OldConstructor } = require('octokit-rest-16');
  return Base.plugin(require('@octokit/plugin-enterprise-rest/ghe-2.16'));
})();

// `as`: methods are called by dynamic names, which the client's types don't allow.
const { Octokit: New } = (await import('@octokit/rest')) as unknown as { Octokit: NewConstructor };

const getOptions = (baseUrl: string, auth: unknown) => {
  return { baseUrl: baseUrl.replace(/\/$/, ''), auth, log: silent };
};

/**
 * @octokit/rest@16 with the 2018 plugin for enterprise servers. Together, the client and the plugin
 * cover nearly every contract row.
 */
export const oldEra: Era = {
  name: '@octokit/rest@16',
  routes: findRoutes(new Old({ log: silent })),
  open(baseUrl, auth) {
    const octokit = new Old(getOptions(baseUrl, auth));
    return {
      call: (name, parameters) => getMethod(octokit, name)(parameters),
      paginate: (name, parameters) =>
        octokit.paginate(getMethod(octokit, name).endpoint.merge(parameters)),
    };
  },
};

/**
 * @octokit/rest@22, the current version, which uses newer endpoints for teams and application
 * tokens.
 */
export const newEra: Era = {
  name: '@octokit/rest@22',
  routes: findRoutes(new New({ log: silent }).rest),
  open(baseUrl, auth) {
    const octokit = new New(getOptions(baseUrl, auth));
    return {
      call: (name, parameters) => getMethod(octokit.rest, name)(parameters),
      paginate: (name, parameters) => octokit.paginate(getMethod(octokit.rest, name), parameters),
    };
  },
};

/** Returns the seed's credentials in the format that the generation's constructor expects. */
export function getAuth(era: Era, identity: Identity): unknown {
  if (identity === 'token') return era === oldEra ? `token ${seeded.token}` : seeded.token;
  const { login: username, password, clientId, clientSecret } = seeded;
  if (identity === 'license') {
    return { username: 'license', password: consoleSeed.licenseMd5, on2fa: () => '' };
  }
  return identity === 'user' ? { username, password, on2fa: () => '' } : { clientId, clientSecret };
}
