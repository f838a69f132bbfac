import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { listMethods } from '../../scripts/docs/methods.js';
import { sourceProgram } from '../../scripts/docs/source-docs.js';
import { ConsoleClient, HostingClient } from '../../src/index.js';
import { type Era, newEra, oldEra } from '../outside/octokits.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const guide = readFileSync(`${root}docs/coming-from-octokit.md`, 'utf8');
const table = guide.split('## Call by call')[1] ?? '';
const [rowsText = '', onlyHere = ''] = table.split('## Only in triforge');

interface Row {
  readonly today: readonly string[];
  readonly old: readonly string[];
  readonly own: string;
}

const wordsIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, word]) => word ?? '');
const rows: readonly Row[] = rowsText
  .split('\n')
  .filter((line) => line.startsWith('|') && line.includes('`'))
  .map((line) => {
    const [, today = '', old = '', own = ''] = line.split('|');
    const names = wordsIn(today);
    const oldNames = old.trim() === 'the same' ? names : wordsIn(old);
    return { today: names, old: oldNames, own: wordsIn(own)[0] ?? '' };
  });

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
function normalizeRoute(http: string): string {
  const route = http
    .replace(/\{\?[^}]*\}/, '')
    .replaceAll(/\{\/[^}]*\}/g, '/{}')
    .replaceAll(/\{[^}]*\}|(?<=\/):[a-z_]+/g, '{}');
  for (const [pattern, place] of moved) {
    if (pattern.test(route)) return route.replace(pattern, place);
  }
  return route;
}

/** Returns an octokit client's normalized routes, keyed by method name, such as `pulls.list`. */
const listCalls = ({ routes }: Era) =>
  new Map([...routes].map(([name, route]) => [name, normalizeRoute(route)]));

const eras = [
  { name: newEra.name, calls: listCalls(newEra), of: (row: Row) => row.today },
  { name: oldEra.name, calls: listCalls(oldEra), of: (row: Row) => row.old },
];

const own = (await listMethods(sourceProgram())).map(({ name, http }) => ({
  name,
  route: normalizeRoute(http),
}));

const baseUrl = 'https://code.example.com/';
const clients: Readonly<Record<string, object>> = {
  hosting: new HostingClient({ baseUrl }),
  appliance: new ConsoleClient({ baseUrl }),
};

function isMethod(name: string): boolean {
  const [client = '', ...path] = name.split('.');
  const found = path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null ? Reflect.get(value, key) : undefined,
    clients[client],
  );
  return typeof found === 'function';
}

/** Returns every method of a client and its resources, such as `hosting.pulls.list`. */
function getMethods(client: string): string[] {
  const named = (value: object, prefix: string) =>
    Object.getOwnPropertyNames(Object.getPrototypeOf(value))
      .filter((name) => name !== 'constructor' && isMethod(`${prefix}.${name}`))
      .map((name) => `${prefix}.${name}`);
  const value = clients[client] ?? {};
  const resources = Object.entries(value).filter(([, member]) => typeof member === 'object');
  return [
    ...named(value, client),
    ...resources.flatMap(([name, member]) => named(member, `${client}.${name}`)),
  ];
}

describe.each(eras)('docs/coming-from-octokit.md for $name', ({ name: client, calls, of }) => {
  test(`docs/coming-from-octokit.md maps each ${client} method to the triforge method with the same route, if one exists`, () => {
    const missing = [...calls].flatMap(([call, route]) => {
      const ours = own.filter((each) => each.route === route).map(({ name }) => name);
      const reported = rows.some((row) => of(row).includes(call) && ours.includes(row.own));
      return ours.length === 0 || reported ? [] : [`${call}: ${ours.join(' or ')}`];
    });
    expect(missing).toEqual([]);
  });

  test(`docs/coming-from-octokit.md pairs each ${client} method only with a method that has the same route`, () => {
    const wrong = rows.flatMap((row) => {
      const routes = own.filter(({ name }) => name === row.own).map(({ route }) => route);
      return of(row).filter((call) => !routes.includes(calls.get(call) ?? 'none'));
    });
    expect(wrong).toEqual([]);
  });
});

test('docs/coming-from-octokit.md lists only existing triforge methods', () => {
  expect(rows.length).toBeGreaterThan(80);
  expect(rows.map((row) => row.own).filter((name) => !isMethod(name))).toEqual([]);
});

test('docs/coming-from-octokit.md lists every API method of HostingClient and ConsoleClient', () => {
  const here = wordsIn(onlyHere);
  expect(here.filter((name) => !isMethod(name))).toEqual([]);
  const general = ['hosting.request', 'appliance.request', 'hosting.close', 'appliance.close'];
  const reported = new Set([
    ...rows.map((row) => row.own),
    ...here,
    ...general,
    'appliance.withAuth',
  ]);
  const methods = [...getMethods('hosting'), ...getMethods('appliance')];
  expect(methods.length).toBeGreaterThan(90);
  expect(methods.filter((name) => !reported.has(name))).toEqual([]);
});
