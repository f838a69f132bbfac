// Calls every method through Prism, with strict validation: `call-all.ts <api> <url> mock|proxy`.
// `mock` is Prism's mock server. `proxy` is Prism's validating proxy in front of a seeded emulator.

import { clientMethods } from '../../scripts/docs/client-methods.js';
import { ApiError, ConsoleClient, HostingClient, SupportClient } from '../../src/index.js';
import { consoleSeed, seeded, supportSeed } from '../../src/testing/index.js';
import type { JsonSchema, Rule } from '../../src/transport/request/input.js';
import { seedInputs } from './seed.js';

const [name = '', url = '', mode = 'mock'] = process.argv.slice(2);
const isMock = mode === 'mock';
const clients: Readonly<Record<string, object>> = {
  hosting: new HostingClient({
    baseUrl: url,
    auth: { type: 'basic', username: seeded.login, password: seeded.password },
    retry: false,
  }),
  application: new HostingClient({
    baseUrl: url,
    auth: { type: 'application', clientId: seeded.clientId, clientSecret: seeded.clientSecret },
    retry: false,
  }),
  support: new SupportClient({
    baseUrl: url,
    auth: isMock ? { accessToken: 'token' } : supportSeed,
    retry: false,
  }),
  console: new ConsoleClient({
    baseUrl: url,
    auth: { licenseMd5: consoleSeed.licenseMd5 },
    retry: false,
  }),
};

/** Inputs that can't be derived from the rules. */
const inputs: Readonly<Record<string, object>> = {
  'pulls.create': { title: 'a' },
  'gitRefs.get': { ref: 'heads/a' },
  'gitRefs.create': { ref: 'refs/heads/a' },
  'gitRefs.update': { ref: 'heads/a' },
  'gitRefs.delete': { ref: 'heads/a' },
  'hooks.create': { config: { url: 'https://example.com/' } },
  'contents.create': { content: { text: 'a' } },
  'contents.update': { content: { text: 'a' } },
  'hub.subscribe': {
    'hub.topic': 'https://code.example.com/a/b/events/push',
    'hub.callback': 'https://example.com/',
  },
  'hub.unsubscribe': {
    'hub.topic': 'https://code.example.com/a/b/events/push',
    'hub.callback': 'https://example.com/',
  },
  'maintenance.set': { when: 'now' },
  'applications.checkToken': { client_id: 'a'.repeat(20) },
};

const ids = new Map<string, unknown>();

/** Methods that make later calls fail, or whose values contain a slash, which Prism can't route. */
const skipped = new Set([
  ...['applications.resetToken', 'applications.revokeToken', 'applications.revokeAllTokens'],
  ...['gitRefs.get', 'gitRefs.update', 'gitRefs.delete'],
  // The session request is checked with every call.
  'authenticate',
  // These methods send files.
  ...['start', 'upgrade', 'authorizedKeys.add', 'authorizedKeys.delete', 'releases.uploadAsset'],
  // Prism's mock server can't choose a media type for a response that allows any type.
  ...(isMock ? ['contents.getArchive'] : []),
]);

function sample(key: string, { schema = {}, required }: Rule, path: string): unknown {
  if (!required) return undefined;
  if (isMock) return value(schema);
  return key === 'id'
    ? (ids.get(path.replace(/\/\{id\}.*/, '')) ?? 1)
    : (seedInputs[key] ?? value(schema));
}

function value({ type, enum: words, minimum, pattern, anyOf }: JsonSchema): unknown {
  if (Array.isArray(words)) return words[0];
  if (Array.isArray(anyOf)) return value(anyOf[0]);
  if (type === 'integer') return minimum;
  if (type === 'boolean') return false;
  if (type === 'array') return ['a'];
  if (type === 'object') return {};
  const [, length] = /\{(\d+)\}/.exec(String(pattern)) ?? [];
  return 'a'.repeat(Number(length ?? 1));
}

let [read, wrong] = [0, 0];
for (const { name: path, endpoint, method } of clientMethods()) {
  const [client = '', ...rest] = path.split('.');
  if (endpoint === undefined || skipped.has(endpoint.operation)) continue;
  if ((client === 'appliance' ? 'console' : client) !== name) continue;
  const { operation, auth } = endpoint;
  const rules = Object.entries<Rule>(endpoint.input);
  const passed = Object.fromEntries(
    rules.map(([key, rule]) => [key, sample(key, rule, endpoint.path)]),
  );
  const owner: unknown = rest
    .slice(0, -1)
    .reduce<unknown>(
      (object, key) => Reflect.get(Object(object), key),
      clients[auth === 'application' ? auth : name],
    );
  const call: unknown = Reflect.get(Object(owner), method);
  if (typeof call !== 'function') throw new Error(`${path} is not a method`);
  const own = rules.length > 0 ? [{ ...passed, ...inputs[operation] }] : [];
  const input = operation === 'settings.update' ? [{ enterprise: { private_mode: true } }] : own;
  try {
    const result: unknown = Reflect.apply(call, owner, input);
    if (Symbol.asyncIterator in Object(result)) {
      // `as`: the condition checks for an async iterator.
      for await (const item of result as AsyncIterable<unknown>) {
        ids.set(endpoint.path.replace('/orgs/{org}', ''), Object(item).id);
        break;
      }
    } else await result;
    read++;
  } catch (error) {
    // The emulator's error responses don't violate the document.
    const isViolation = JSON.stringify(Object(error).body ?? '').includes('stoplight.io');
    if (!isMock && error instanceof ApiError && error.status < 500 && !isViolation) {
      read++;
      console.log(`(${error.message})`);
      continue;
    }
    wrong++;
    console.log(`${path}: ${error instanceof Error ? error.message : error}`);
  }
}
console.log(`${name}: ${read} read, ${wrong} failed`);
process.exitCode = wrong > 0 ? 1 : 0;
