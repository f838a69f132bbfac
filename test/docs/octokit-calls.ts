import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Normalized routes of an octokit client's methods, keyed by name, such as `pulls.list`. */
export type OctokitCalls = ReadonlyMap<string, string>;

function listCalls(scopes: object): OctokitCalls {
  const calls = new Map<string, string>();
  for (const [scope, members] of Object.entries(scopes)) {
    if (typeof members !== 'object' || members === null) continue;
    for (const name of Object.keys(members)) {
      const endpoint: unknown = Reflect.get(members, name)?.endpoint;
      if (typeof endpoint !== 'function' || !('DEFAULTS' in endpoint)) continue;
      // `as`: every octokit client stores a method's defaults in this form.
      const { method, url } = endpoint.DEFAULTS as { method: string; url: string };
      calls.set(`${scope}.${name}`, findRoute(method, url));
    }
  }
  return calls;
}

/** Returns the methods of @octokit/rest@22, the current version. */
export async function octokitCalls(): Promise<OctokitCalls> {
  const { Octokit } = await import('@octokit/rest');
  return listCalls(new Octokit().rest);
}

/** Returns the methods of @octokit/rest@16 with its plugin for enterprise servers. */
export function oldOctokitCalls(): OctokitCalls {
  type Constructor = new (options: object) => object;
  // Loaded with `require`, because the package's types don't support ES modules.
  const Octokit: { plugin(plugin: unknown): Constructor } = require('octokit-rest-16');
  const Enterprise = Octokit.plugin(require('@octokit/plugin-enterprise-rest/ghe-2.16'));
  const log = { debug() {}, info() {}, warn() {}, error() {} };
  return listCalls(new Enterprise({ log }));
}

// Routes that moved after the contract was written. Each entry has octokit's route and the
// contract's route.
const moved: readonly (readonly [RegExp, string])[] = [
  [/^POST (\/applications\/\{\})\/token$/, 'GET $1/tokens/{}'],
  [/^PATCH (\/applications\/\{\})\/token$/, 'POST $1/tokens/{}'],
  [/^DELETE (\/applications\/\{\})\/token$/, 'DELETE $1/tokens/{}'],
  [/^GET (.*)\/git\/(?:ref|matching-refs)\/\{\}$/, 'GET $1/git/refs/{}'],
  [/^(\w+) \/orgs\/\{\}\/teams\/\{\}\/memberships\/\{\}$/, '$1 /teams/{}/members/{}'],
  [/^(\w+) \/teams\/\{\}\/memberships\/\{\}$/, '$1 /teams/{}/members/{}'],
  [/^(\w+) \/orgs\/\{\}\/teams\/\{\}(\/(?:members|repos).*)?$/, '$1 /teams/{}$2'],
  // Old octokit clients pass a complete upload URL.
  [/^POST :url$/, 'POST /repos/{}/{}/releases/{}/assets'],
  [/^GET (\/repos\/\{\}\/\{\})\/(?:tarball|zipball)\/\{\}$/, 'GET $1/{}/{}'],
];

/** Normalizes a route. Removes parameter names and replaces a moved route with its current route. */
export function findRoute(method: string, path: string): string {
  const plain = path
    .replace(/\{\?[^}]*\}/, '')
    .replaceAll(/\{\/[^}]*\}/g, '/{}')
    .replaceAll(/\{[^}]*\}|(?<=\/):[a-z_]+/g, '{}');
  const route = `${method} ${plain}`;
  for (const [pattern, place] of moved) {
    if (pattern.test(route)) return route.replace(pattern, place);
  }
  return route;
}
