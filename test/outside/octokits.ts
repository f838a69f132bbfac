import { createRequire } from 'node:module';

/** An answer as every octokit gives it. */
export interface OctokitAnswer {
  readonly status: number;
  readonly data: unknown;
}

/** A client that is not ours, of one of two eras. */
export interface ForeignClient {
  readonly name: string;
  /** Calls a method by its name, as `repos.createRelease`; undefined where this era has none of that name. */
  call(method: string, parameters: object): Promise<OctokitAnswer> | undefined;
  paginate(method: string, parameters: object): Promise<unknown[]>;
}

type Method = ((parameters: object) => Promise<OctokitAnswer>) & {
  readonly endpoint: { merge(parameters: object): object };
};

interface Octokit {
  readonly [scope: string]: Readonly<Record<string, Method | undefined>> | undefined;
}

interface Paginating {
  paginate(what: unknown, parameters?: object): Promise<unknown[]>;
}

type Constructor = new (options: object) => Octokit & Paginating & { readonly rest: Octokit };

const require = createRequire(import.meta.url);

/** @octokit/rest@16 with the plugin for enterprise servers of 2018: every row of its time. */
export function oldClient(baseUrl: string, auth: unknown): ForeignClient {
  const Base: Constructor & { plugin(plugin: unknown): Constructor } = require('octokit-rest-16');
  const Enterprise = Base.plugin(require('@octokit/plugin-enterprise-rest/ghe-2.16'));
  const octokit = new Enterprise({ baseUrl: baseUrl.replace(/\/$/, ''), auth, log: silent });
  const find = (name: string) => methodOf(octokit, name);
  return {
    name: '@octokit/rest@16',
    call: (name, parameters) => find(name)?.(parameters),
    paginate: (name, parameters) => octokit.paginate(find(name)?.endpoint.merge(parameters)),
  };
}

/** @octokit/rest@22: what people use today. */
export async function newClient(baseUrl: string, auth: unknown): Promise<ForeignClient> {
  const { Octokit: Base }: { Octokit: Constructor } = await import('@octokit/rest').then(
    (module) => {
      // `as`: its types know each method by name; here they are called by their names as text.
      return module as unknown as { Octokit: Constructor };
    },
  );
  const octokit = new Base({ baseUrl: baseUrl.replace(/\/$/, ''), auth, log: silent });
  const find = (name: string) => methodOf(octokit.rest, name);
  return {
    name: '@octokit/rest@22',
    call: (name, parameters) => find(name)?.(parameters),
    paginate: (name, parameters) => octokit.paginate(find(name), parameters),
  };
}

const silent = { debug() {}, info() {}, warn() {}, error() {} };

function methodOf(octokit: Octokit, name: string): Method | undefined {
  const [scope = '', method = ''] = name.split('.');
  return octokit[scope]?.[method];
}
