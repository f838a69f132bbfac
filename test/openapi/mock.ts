// Calls every method against Prism's mock of the documents, with strict validation: `mock.ts <name> <url>`.

import { clientMethods } from '../../scripts/docs/client-methods.js';
import { ConsoleClient, HostingClient, SupportClient } from '../../src/index.js';
import type { JsonSchema, Rule } from '../../src/transport/request/input.js';

const [name = '', url = ''] = process.argv.slice(2);
const clients: Readonly<Record<string, object>> = {
  hosting: new HostingClient({
    baseUrl: url,
    webUrl: 'https://code.example.com',
    auth: { type: 'basic', username: 'mona', password: 'secret' },
    retry: false,
  }),
  application: new HostingClient({
    baseUrl: url,
    auth: { type: 'application', clientId: 'a'.repeat(20), clientSecret: 'b'.repeat(40) },
    retry: false,
  }),
  support: new SupportClient({ baseUrl: url, auth: { accessToken: 'token' }, retry: false }),
  console: new ConsoleClient({ baseUrl: url, auth: { licenseMd5: '0'.repeat(32) }, retry: false }),
};

/** Inputs that rules alone don't determine. */
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

function sample({ schema = {}, required }: Rule): unknown {
  return required ? value(schema) : undefined;
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
  if (endpoint === undefined || (client === 'appliance' ? 'console' : client) !== name) continue;
  const { operation, auth } = endpoint;
  const rules = Object.entries<Rule>(endpoint.input);
  const given = Object.fromEntries(rules.map(([key, rule]) => [key, sample(rule)]));
  const owner: unknown = rest
    .slice(0, -1)
    .reduce<unknown>(
      (object, key) => Reflect.get(Object(object), key),
      clients[auth === 'application' ? auth : name],
    );
  const call: unknown = Reflect.get(Object(owner), method);
  if (typeof call !== 'function') throw new Error(`${path} is not a method`);
  const own = rules.length > 0 ? [{ ...given, ...inputs[operation] }] : [];
  const input = operation === 'settings.update' ? [{ enterprise: { private_mode: true } }] : own;
  try {
    const result: unknown = Reflect.apply(call, owner, input);
    if (Symbol.asyncIterator in Object(result)) {
      for await (const _item of result as AsyncIterable<unknown>) break;
    } else await result;
    read++;
  } catch (error) {
    wrong++;
    console.log(`${path}: ${error instanceof Error ? error.message : error}`);
  }
}
console.log(`${name}: ${read} read, ${wrong} failed`);
process.exitCode = wrong > 0 ? 1 : 0;
