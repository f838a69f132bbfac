import { expect, it } from 'vitest';
import * as z from 'zod';
import { endpoint, filledText, integer, optional, text } from '../../../src/extend/index.js';
import { ConfigurationError, HostingClient } from '../../../src/hosting/index.js';
import { SupportClient } from '../../../src/support/index.js';
import { about } from '../about.js';
import { AnsweringDispatcher, type Reply } from './dispatch/answering-dispatcher.js';

const hosting = new HostingClient({ baseUrl: 'https://code.test/api/v3/' });
/** Calls `extend` with any value, because callers without types can pass anything. */
const extend = (declared: unknown): object => Reflect.apply(hosting.extend, hosting, [declared]);
/** Used as a computed key, because the linter treats an object with a literal `then` as a promise. */
const then = 'then';
const ok = { path: '/x' };
const taken = /existing client member/;

it.each<[string, object, string, RegExp]>([
  ['a missing path', {}, 'a.b.path', /URI template.* query/],
  ['an array as a path', { path: ['/x'] }, 'a.b.path', /URI template/],
  ['a number as a path', { path: 5 }, 'a.b.path', /URI template/],
  ['a path without a slash', { path: 'x' }, 'a.b.path', /URI template/],
  ['a path to another host', { path: '//evil.test/x' }, 'a.b.path', /URI template/],
  ['a query in the path', { path: '/x?y=1' }, 'a.b.path', /URI template/],
  ['an invalid template', { path: '/{x' }, 'a.b.path', /./],
  ['an unsupported template operator', { path: '/x{+y}' }, 'a.b.path', /\{y\} or \{\/y\*\}/],
  ['a prefix modifier', { path: '/{y:3}' }, 'a.b.path', /\{y\} or \{\/y\*\}/],
  ['a path variable without a rule', { path: '/{x}' }, 'a.b.path', /\{x\}.*got no rule/],
  [
    'a path variable with only an inherited rule',
    { path: '/{constructor}', input: {} },
    'a.b.path',
    /\{constructor\}.*got no rule/,
  ],
  [
    'a path variable with an optional rule',
    { path: '/{x}', input: { x: optional(text) } },
    'a.b.path',
    /\{x\}.* optional/,
  ],
  ['a string instead of rules', { ...ok, input: 'x' }, 'a.b.input', /rules.* a string\)$/],
  ['a string instead of a rule', { ...ok, input: { x: 'text' } }, 'a.b.input.x', /a rule/],
  ['an object instead of a rule', { ...ok, input: { x: {} } }, 'a.b.input.x', /a rule/],
  ['a function instead of a rule', { ...ok, input: { x: text.test } }, 'a.b.input.x', /a rule/],
  ['an invalid method', { ...ok, method: 'get' }, 'a.b.method', /'GET', 'HEAD'/],
  [
    'an invalid retry rule',
    { ...ok, retry: 'always' },
    'a.b.retry',
    /'safe', 'idempotent', 'refused' or 'unsent'.* 'always'\)$/,
  ],
  [
    'an unknown authentication scheme',
    { ...ok, auth: 'none' },
    'a.b.auth',
    /'basic' or 'application'.* 'none'\)$/,
  ],
  ['an unknown pagination type', { ...ok, paginate: true }, 'a.b.paginate', /'link' or 'offset'/],
  ['an unknown response type', { ...ok, responseType: 'text' }, 'a.b.responseType', /'json'/],
  ['an unknown encoding', { ...ok, encoding: 'multipart' }, 'a.b.encoding', /'json' or 'form'/],
  ['null as a schema', { ...ok, schema: null }, 'a.b.schema', /Standard Schema/],
  ['an object instead of a schema', { ...ok, schema: {} }, 'a.b.schema', /Standard Schema/],
  [
    'a schema for binary responses',
    { ...ok, responseType: 'bytes', schema: { '~standard': { validate: () => ({}) } } },
    'a.b.schema',
    /omitted.* JSON/,
  ],
  [
    'pagination for a HEAD request',
    { ...ok, method: 'HEAD', paginate: 'link' },
    'a.b.paginate',
    /omitted.* pages/,
  ],
  ['an invalid media type', { ...ok, accept: 'a\nb' }, 'a.b.accept', /media type/],
  ['an array of media types', { ...ok, accept: ['a/b'] }, 'a.b.accept', /media type/],
  [
    'an object instead of a serialize function',
    { ...ok, serialize: {} },
    'a.b.serialize',
    /function.* an object\)$/,
  ],
  [
    'an unknown input as one of two secrets',
    { ...ok, input: { key: text }, secret: ['key', 'other'] },
    'a.b.secret',
    /array of input names/,
  ],
  [
    'an unknown input as the secret',
    { ...ok, secret: ['key'] },
    'a.b.secret',
    /array of input names/,
  ],
  ['an unknown option', { ...ok, responsetype: 'none' }, 'a.b', /'responsetype'/],
])('extend() rejects %s', (_what, declaration, field, says) => {
  const extending = () => extend({ a: { b: declaration } });
  expect(extending).toThrow(ConfigurationError);
  expect(extending).toThrow(expect.objectContaining({ message: about(field, says) }));
});

it.each<[string, unknown, string, RegExp]>([
  ['undefined', undefined, 'endpoints', /issues: \{ list:/],
  ['a number as a group', { issues: 1 }, 'issues', /an object/],
  ['an endpoint without a group', { list: ok }, 'list', /issues: \{ list:.* an endpoint\)$/],
  ['a number as an endpoint', { issues: { list: 1 } }, 'issues.list', /options/],
  ['an existing method', { releases: { list: ok } }, 'releases.list', taken],
  ['a group named after an existing method', { request: { list: ok } }, 'request', taken],
  [
    'a group with the name of an inherited property',
    { constructor: { list: ok } },
    'constructor',
    taken,
  ],
  ['a method with the name of an inherited property', { a: { toString: ok } }, 'a.toString', taken],
  [
    'a group named `__proto__`',
    JSON.parse('{ "__proto__": { "b": { "path": "/x" } } }'),
    '__proto__',
    taken,
  ],
  ['a group named `then`', { [then]: { b: ok } }, 'then', taken],
  ['a method named `toJSON`', { a: { toJSON: ok } }, 'a.toJSON', taken],
  ['a group named `toJSON`', { toJSON: { b: ok } }, 'toJSON', taken],
  ['a method named `then`', { a: { [then]: ok } }, 'a.then', taken],
])('extend() rejects %s', (_what, declared, field, says) => {
  expect(() => extend(declared)).toThrow(ConfigurationError);
  expect(() => extend(declared)).toThrow(expect.objectContaining({ message: about(field, says) }));
});

it('extend() adds methods to an existing group', () => {
  const get = endpoint({ path: '/{x}', input: { x: filledText } });
  const once = hosting.extend({ a: { b: get } });
  expect(Object.keys(once.extend({ a: { c: get } }).a)).toEqual(['b', 'c']);
  expect(() => once.extend({ a: { b: get } })).toThrow(
    expect.objectContaining({ message: about('a.b', taken) }),
  );
});

it("extend() uses the template parser's error as the cause of its own error", () => {
  const cause = expect.objectContaining({ name: 'InvalidRequestError' });
  expect(() => extend({ a: { b: { path: '/{x' } } })).toThrow(expect.objectContaining({ cause }));
});

it('SupportClient.extend() rejects an endpoint that declares an authentication scheme', () => {
  const support = new SupportClient({
    baseUrl: 'https://support.test/',
    auth: { accessToken: 'x' },
  });
  const declared = { a: { b: { path: '/x', auth: 'basic' } } };
  expect(() => Reflect.apply(support.extend, support, [declared])).toThrow(ConfigurationError);
});

it.each<[string, object, Reply, unknown, string]>([
  ['GET requests and JSON responses by default', {}, { body: '{"id":1}' }, { id: 1 }, 'GET /x?n=1'],
  [
    'serialized inputs',
    { serialize: ({ n }: { n: number }) => ({ m: n + 1 }) },
    { body: '{"id":1}' },
    { id: 1 },
    'GET /x?m=2',
  ],
  ['HEAD requests', { method: 'HEAD' }, {}, undefined, 'HEAD /x?n=1'],
  ['existence checks', { responseType: 'exists' }, { status: 404 }, false, 'GET /x?n=1'],
  [
    'responses without a result',
    { responseType: 'none' },
    { body: 'no JSON' },
    undefined,
    'GET /x?n=1',
  ],
  [
    'response schemas',
    { schema: z.object({ id: z.int() }) },
    { body: '{"id":1}' },
    { id: 1 },
    'GET /x?n=1',
  ],
])('a custom endpoint supports %s', async (_what, declared, reply, data, line) => {
  const failing = { status: 502 };
  const dispatcher = new AnsweringDispatcher([failing, reply]);
  const client = new HostingClient({
    baseUrl: 'https://code.test',
    dispatcher,
    retry: { baseDelay: 0 },
  });
  const accept = 'application/x-own';
  const own = client.extend({
    a: { b: endpoint({ path: '/x', input: { n: integer(1) }, accept, ...declared }) },
  });
  expect(await own.a.b({ n: 1 })).toEqual(data);
  const url = `https://code.test${line.slice(line.indexOf('/'))}`;
  const sent = { method: line.slice(0, line.indexOf(' ')), url, headers: { accept } };
  expect(dispatcher.sent, 'retried, because it only reads').toMatchObject([sent, sent]);
});

it('an endpoint without offset pagination rejects an undeclared `index`', async () => {
  const dispatcher = new AnsweringDispatcher([]);
  const client = new HostingClient({ baseUrl: 'https://code.test', dispatcher });
  const { a } = client.extend({ a: { b: endpoint({ path: '/x' }) } });
  await expect(Reflect.apply(a.b, a, [{ index: 1 }])).rejects.toMatchObject({ field: 'index' });
  expect(dispatcher.sent).toEqual([]);
});
