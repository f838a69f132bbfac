import { expect, it } from 'vitest';
import * as z from 'zod';
import { endpoint, filledText, integer, optional, text } from '../../../src/extend/index.js';
import { ConfigurationError, HostingClient } from '../../../src/hosting/index.js';
import { SupportClient } from '../../../src/support/index.js';
import { AnsweringDispatcher, type Reply } from './dispatch/answering-dispatcher.js';

const hosting = new HostingClient({ baseUrl: 'https://code.test/api/v3/' });
/** What programs without types can give. */
const extend = (declared: unknown): object => Reflect.apply(hosting.extend, hosting, [declared]);
/** Computed, as the linter takes such an object for a promise. */
const then = 'then';
const ok = { path: '/x' };

it.each<[string, object, string]>([
  ['no path', {}, "a.b.path: expected a URI template below the base URL: '/…', without a query"],
  ['a number as a path', { path: 5 }, 'a.b.path: expected a URI template'],
  ['no slash', { path: 'x' }, 'a.b.path: expected a URI template'],
  ['another host', { path: '//evil.test/x' }, 'a.b.path: expected a URI template'],
  ['a query', { path: '/x?y=1' }, 'a.b.path: expected a URI template'],
  ['a broken template', { path: '/{x' }, 'a.b.path: '],
  ['another operator', { path: '/x{+y}' }, 'a.b.path: expected {y} or {/y*}'],
  ['no rule', { path: '/{x}' }, 'a.b.path: {x} must be given, and it has no rule in input'],
  [
    'an inherited rule',
    { path: '/{constructor}', input: {} },
    'a.b.path: {constructor} must be given, and it has no rule in input',
  ],
  [
    'a rule that lets it be absent',
    { path: '/{x}', input: { x: optional(text) } },
    'a.b.path: {x} must be given, and its rule lets it be absent',
  ],
  ['no rules', { ...ok, input: 'x' }, 'a.b.input: expected an object of rules, got a string'],
  ['what is no rule', { ...ok, input: { x: 'text' } }, 'a.b.input.x: expected a rule'],
  ['an object that is no rule', { ...ok, input: { x: {} } }, 'a.b.input.x: expected a rule'],
  [
    'a function that is no rule',
    { ...ok, input: { x: text.test } },
    'a.b.input.x: expected a rule',
  ],
  ['a method', { ...ok, method: 'get' }, "a.b.method: expected 'GET', 'HEAD'"],
  [
    'a retry word',
    { ...ok, retry: 'always' },
    "a.b.retry: expected 'safe', 'idempotent', 'refused', 'unsent', got 'always'",
  ],
  ['a scheme', { ...ok, auth: 'none' }, "a.b.auth: expected 'basic', 'application', got 'none'"],
  ['a kind of pages', { ...ok, paginate: true }, "a.b.paginate: expected 'link', 'offset', got"],
  ['a kind of answer', { ...ok, responseType: 'text' }, "a.b.responseType: expected 'json'"],
  ['an encoding', { ...ok, encoding: 'multipart' }, "a.b.encoding: expected 'json', 'form'"],
  ['null as a schema', { ...ok, schema: null }, 'a.b.schema: expected a Standard Schema'],
  ['no schema', { ...ok, schema: {} }, 'a.b.schema: expected a Standard Schema'],
  [
    'a schema of bytes',
    { ...ok, responseType: 'bytes', schema: { '~standard': { validate: () => ({}) } } },
    'a.b.schema: expected none: the answer is not read as JSON',
  ],
  ['pages of nothing', { ...ok, method: 'HEAD', paginate: 'link' }, 'a.b.paginate: expected none'],
  ['a media type', { ...ok, accept: 'a\nb' }, 'a.b.accept: expected a media type'],
  ['a list of media types', { ...ok, accept: ['a/b'] }, 'a.b.accept: expected a media type'],
  ['no function', { ...ok, serialize: {} }, 'a.b.serialize: expected a function, got an object'],
  [
    'one secret of two',
    { ...ok, input: { key: text }, secret: ['key', 'other'] },
    'a.b.secret: expected names of inputs',
  ],
  ['a secret', { ...ok, secret: ['key'] }, 'a.b.secret: expected names of inputs'],
  ['a name', { ...ok, responsetype: 'none' }, "a.b: unknown option 'responsetype'"],
])('%s is refused by its name', (_what, declaration, message) => {
  const extending = () => extend({ a: { b: declaration } });
  expect(extending).toThrow(ConfigurationError);
  expect(extending).toThrow(message);
});

it.each<[string, unknown, string]>([
  ['nothing', undefined, 'endpoints: expected an object such as { issues: { list:'],
  ['a group', { issues: 1 }, 'issues: expected an object such as'],
  ['an endpoint', { issues: { list: 1 } }, 'issues.list: expected an object of options'],
  ['a method of ours', { releases: { list: ok } }, 'releases.list: the client has this name'],
  ['ours in place of a group', { request: { list: ok } }, 'request: the client has this name'],
  ['what every object has', { constructor: { list: ok } }, 'constructor: the client has this name'],
  ['a name of every object', { a: { toString: ok } }, 'a.toString: the client has this name'],
  [
    'a prototype',
    JSON.parse('{ "__proto__": { "b": { "path": "/x" } } }'),
    '__proto__: the client',
  ],
  ['what makes it a promise', { [then]: { b: ok } }, 'then: the client has this name'],
  ['a group that is a promise', { a: { [then]: ok } }, 'a.then: the client has this name'],
])('%s is refused', (_what, declared, message) => {
  expect(() => extend(declared)).toThrow(ConfigurationError);
  expect(() => extend(declared)).toThrow(message);
});

it('a group that is extended twice has the methods of both, and a name twice is refused', () => {
  const get = endpoint({ path: '/{x}', input: { x: filledText } });
  const once = hosting.extend({ a: { b: get } });
  expect(Object.keys(once.extend({ a: { c: get } }).a)).toEqual(['b', 'c']);
  expect(() => once.extend({ a: { b: get } })).toThrow('a.b: the client has this name');
});

it('a template that is refused is the cause of the refusal', () => {
  const cause = expect.objectContaining({ name: 'InvalidRequestError' });
  expect(() => extend({ a: { b: { path: '/{x' } } })).toThrow(expect.objectContaining({ cause }));
});

it('a client without schemes of its own takes none', () => {
  const support = new SupportClient({
    baseUrl: 'https://support.test/',
    auth: { accessToken: 'x' },
  });
  const declared = { a: { b: { path: '/x', auth: 'basic' } } };
  expect(() => Reflect.apply(support.extend, support, [declared])).toThrow(ConfigurationError);
});

it.each<[string, object, Reply, unknown, string]>([
  ['the word of its inputs', {}, { body: '{"id":1}' }, { id: 1 }, 'GET /x?n=1'],
  [
    'what serialize makes of them',
    { serialize: ({ n }: { n: number }) => ({ m: n + 1 }) },
    { body: '{"id":1}' },
    { id: 1 },
    'GET /x?m=2',
  ],
  ['HEAD', { method: 'HEAD' }, {}, undefined, 'HEAD /x?n=1'],
  ['whether there is one', { responseType: 'exists' }, { status: 404 }, false, 'GET /x?n=1'],
  ['nothing', { responseType: 'none' }, { body: 'no JSON' }, undefined, 'GET /x?n=1'],
  [
    'a schema',
    { schema: z.object({ id: z.int() }) },
    { body: '{"id":1}' },
    { id: 1 },
    'GET /x?n=1',
  ],
])(
  'what is declared is sent, and read as it says: %s',
  async (_what, declared, reply, data, line) => {
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
    expect(dispatcher.sent, 'repeated, as it only reads').toMatchObject([sent, sent]);
  },
);
