import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import * as z from 'zod';
import {
  endpoint,
  filledText,
  flag,
  integer,
  oneOf,
  optional,
  paging,
  record,
  rule,
  text,
  texts,
} from '../../../src/extend/index.js';
import { ConfigurationError, HostingClient, Release } from '../../../src/hosting/index.js';
import { ConsoleClient, SupportClient } from '../../../src/index.js';
import { describe } from '../../../src/openapi/index.js';
import { ContactProfile } from '../../../src/support/index.js';

const hosting = new HostingClient({ baseUrl: 'https://code.test/api/v3/' });
const support = new SupportClient({
  baseUrl: 'https://support.test/api/v2/',
  auth: { accessToken: 'token' },
});
const appliance = new ConsoleClient({ baseUrl: 'https://code.test:8443' });
const inRepo = { owner: filledText, repo: filledText };
const issuesPath = '/repos/{owner}/{repo}/issues';
const Issue = z.object({ number: z.int(), title: z.string() });

/** Returns a value inside a document. */
function read(value: unknown, ...keys: readonly string[]): unknown {
  return keys.reduce<unknown>((inner, key) => Object(inner)[key], value);
}

/** Returns the successful JSON response's schema. */
function readSchema(document: unknown, path: string, verb: string, type = 'application/json') {
  return read(document, 'paths', path, verb, 'responses', '2XX', 'content', type, 'schema');
}

function listReferences(value: unknown): string[] {
  return [...JSON.stringify(value).matchAll(/"\$ref":"([^"]+)"/g)].map(([, target = '']) => target);
}

test('describe() documents the parameters, schema and errors of an endpoint', () => {
  const get = endpoint({
    path: '/repos/{owner}/{repo}/issues/{number}',
    input: { ...inRepo, number: integer(1), state: optional(oneOf('open', 'closed')) },
    schema: Issue,
  });
  const document = describe(hosting.extend({ issues: { get } }));
  const operation = read(document, 'paths', '/repos/{owner}/{repo}/issues/{number}', 'get');
  const parameter = (name: string, place: string, schema: object) => {
    return { name, in: place, schema, ...(place === 'path' && { required: true }) };
  };
  const content = { schema: { $ref: '#/components/schemas/issues.get' } };
  const error = { $ref: '#/components/responses/Error' };
  expect(operation).toEqual({
    operationId: 'issues.get',
    tags: ['issues'],
    summary: 'issues.get',
    parameters: [
      parameter('owner', 'path', { type: 'string', minLength: 1 }),
      parameter('repo', 'path', { type: 'string', minLength: 1 }),
      parameter('number', 'path', { type: 'integer', minimum: 1 }),
      parameter('state', 'query', { type: 'string', enum: ['open', 'closed'] }),
    ],
    responses: {
      '2XX': {
        description: 'Success.',
        headers: expect.objectContaining({ ETag: { $ref: '#/components/headers/ETag' } }),
        content: { 'application/json': content, 'application/vnd.service.v3+json': content },
      },
      304: { description: 'Not modified.' },
      '4XX': error,
      '5XX': error,
    },
    'x-retry': 'safe',
  });
  expect(read(document, 'components', 'schemas', 'issues.get')).toEqual({
    type: 'object',
    properties: {
      number: { type: 'integer', minimum: -9007199254740991, maximum: 9007199254740991 },
      title: { type: 'string' },
    },
    required: ['number', 'title'],
  });
  expect(read(document, 'tags')).toContainEqual({ name: 'issues' });
});

test("describe() documents a write endpoint's inputs as a JSON body", () => {
  const create = endpoint({
    method: 'POST',
    path: issuesPath,
    input: { ...inRepo, title: filledText, labels: optional(texts), meta: optional(record) },
    auth: 'basic',
  });
  const document = describe(hosting.extend({ issues: { create } }));
  const operation = read(document, 'paths', issuesPath, 'post');
  expect(read(operation, 'requestBody')).toEqual({
    required: true,
    content: {
      'application/json': {
        schema: {
          type: 'object',
          properties: {
            title: { type: 'string', minLength: 1 },
            labels: { type: 'array', items: { type: 'string' } },
            meta: { type: 'object' },
          },
          required: ['title'],
        },
      },
    },
  });
  expect(read(operation, 'security')).toEqual([{ basic: [] }]);
  expect(read(operation, 'x-retry')).toBe('refused');
  expect(readSchema(document, issuesPath, 'post')).toEqual({});
});

test("describe() documents a list's paging parameters, array of items and Link header", () => {
  const list = endpoint({
    path: issuesPath,
    input: { ...inRepo, ...paging },
    schema: Issue,
    paginate: 'link',
  });
  const get = endpoint({ path: '/first-issue', schema: Issue });
  const document = describe(hosting.extend({ issues: { list, get } }));
  const operation = read(document, 'paths', issuesPath, 'get');
  expect(read(operation, 'parameters', '3')).toEqual({
    name: 'per_page',
    in: 'query',
    schema: { type: 'integer', minimum: 1, maximum: 100 },
  });
  const item = { $ref: '#/components/schemas/issues.list' };
  expect(readSchema(document, issuesPath, 'get')).toEqual({ type: 'array', items: item });
  // Endpoints with the same schema share its description.
  expect(readSchema(document, '/first-issue', 'get')).toEqual(item);
  const headers = read(operation, 'responses', '2XX', 'headers');
  expect(headers).toHaveProperty('Link');
});

test.each([
  ['exists', 'False.'],
  ['none', undefined],
] as const)(
  'describe() documents no content for the response type %s',
  (responseType, notFound) => {
    const lock = endpoint({ method: 'PUT', path: '/lock', responseType });
    const document = describe(hosting.extend({ own: { lock } }));
    const responses = read(document, 'paths', '/lock', 'put', 'responses');
    expect(read(responses, '2XX', 'description')).toBe('Success.');
    expect(read(responses, '2XX', 'content')).toBeUndefined();
    expect(read(responses, '404', 'description')).toBe(notFound);
  },
);

test('describe() documents a bytes response under the requested media type', () => {
  const logo = endpoint({ path: '/logo', responseType: 'bytes', accept: 'image/png' });
  const document = describe(hosting.extend({ own: { logo } }));
  const schema = { type: 'string', format: 'binary' };
  expect(readSchema(document, '/logo', 'get', 'image/png')).toEqual(schema);
});

test("describe() documents a HEAD endpoint's inputs as query parameters", () => {
  const check = endpoint({ method: 'HEAD', path: '/check', input: { deep: flag } });
  const document = describe(hosting.extend({ own: { check } }));
  const operation = read(document, 'paths', '/check', 'head');
  expect(read(operation, 'parameters', '0', 'in')).toBe('query');
  expect(read(operation, 'requestBody')).toBeUndefined();
});

test('describe() documents that a path variable may contain slashes', () => {
  const get = endpoint({ path: '/trees{/path*}', input: { path: filledText } });
  const document = describe(hosting.extend({ trees: { get } }));
  const operation = read(document, 'paths', '/trees/{path}', 'get');
  expect(read(operation, 'parameters', '0', 'description')).toBe('It may contain slashes.');
});

test('describe() merges paths that differ only in their variable names', () => {
  const get = endpoint({ path: '/labels/{name}', input: { name: filledText } });
  const remove = endpoint({ method: 'DELETE', path: '/labels/{label}', input: { label: text } });
  const { paths } = describe(hosting.extend({ labels: { get, remove } }));
  expect(read(paths, '/labels/{label}')).toBeUndefined();
  expect(read(paths, '/labels/{name}', 'delete', 'parameters', '0', 'name')).toBe('name');
});

test('describe() allows any value for an input without a JSON Schema', () => {
  const any = rule('a value', (value) => value !== undefined);
  const search = endpoint({ path: '/search', input: { any } });
  const document = describe(hosting.extend({ own: { search } }));
  expect(read(document, 'paths', '/search', 'get', 'parameters', '0', 'schema')).toEqual({});
});

test('describe() lets an added endpoint replace a built-in endpoint', () => {
  const path = '/repos/{owner}/{repo}/pulls/{number}';
  const get = endpoint({
    path: '/repos/{org}/{name}/pulls/{id}',
    input: { org: text, name: text, id: integer(1) },
    schema: Issue,
  });
  const document = describe(hosting.extend({ own: { get } }));
  expect(read(document, 'paths', path, 'get', 'operationId')).toBe('own.get');
  expect(read(document, 'paths', path, 'patch', 'operationId')).toBe('pulls.update');
  expect(readSchema(document, path, 'get')).toEqual({ $ref: '#/components/schemas/own.get' });
});

test('describe() refers to a built-in model by name', () => {
  const latest = endpoint({ path: '/latest', schema: Release });
  const document = describe(hosting.extend({ own: { latest } }));
  expect(readSchema(document, '/latest', 'get')).toEqual({ $ref: '#/components/schemas/Release' });
  expect(read(document, 'components', 'schemas', 'Release', 'description')).toEqual(
    expect.any(String),
  );
});

test.each([
  ['a model of another API', ContactProfile],
  [
    'a schema without a JSON form',
    { '~standard': { version: 1, vendor: 'own', validate: (value: unknown) => ({ value }) } },
  ],
  [
    'a schema whose conversion throws',
    {
      '~standard': {
        version: 1,
        vendor: 'own',
        validate: (value: unknown) => ({ value }),
        jsonSchema: {
          input: () => {
            throw new Error('not representable');
          },
        },
      },
    },
  ],
] as const)('describe() allows any JSON for %s', (_name, schema) => {
  const get = endpoint({ path: '/x', schema });
  expect(readSchema(describe(hosting.extend({ own: { get } })), '/x', 'get')).toEqual({});
});

test("describe() documents a schema's input before transforms", () => {
  const schema = z.object({ day: z.string().transform((value) => new Date(value)), at: z.date() });
  const get = endpoint({ path: '/x', schema });
  const document = describe(hosting.extend({ own: { get } }));
  expect(read(document, 'components', 'schemas', 'own.get', 'properties')).toEqual({
    day: { type: 'string' },
    at: {},
  });
});

test('describe() includes the target of every reference', () => {
  const Node = z.object({
    name: z.string(),
    get children() {
      return z.array(Node);
    },
  });
  const Pair = z.object({ left: Node, right: Node });
  const tree = endpoint({ path: '/tree', schema: Node });
  const pair = endpoint({ path: '/pair', schema: Pair });
  const document = describe(hosting.extend({ own: { tree, pair } }));
  const targets = listReferences(document);
  expect(targets).toContain('#/components/schemas/own.tree');
  expect(targets.some((target) => target.startsWith('#/components/schemas/own.pair/$defs/'))).toBe(
    true,
  );
  for (const target of targets) {
    const found = read(document, ...target.split('/').slice(1));
    expect([target, typeof found]).toEqual([target, 'object']);
  }
});

test('describe() documents the envelope and failure response of a support API search', () => {
  const find = endpoint({
    path: '/notes',
    input: { text: optional(text) },
    schema: Issue,
    paginate: 'offset',
  });
  const document = describe(support.extend({ notes: { find } }));
  const items = { type: 'array', items: { $ref: '#/components/schemas/notes.find' } };
  expect(readSchema(document, '/notes', 'get')).toEqual({
    anyOf: [
      {
        allOf: [{ $ref: '#/components/schemas/Outcome' }],
        properties: { items },
        required: ['items'],
      },
      items,
      { $ref: '#/components/schemas/Failure' },
    ],
  });
  expect(read(document, 'paths', '/notes', 'get', 'parameters', '0', 'name')).toBe('index');
});

test('describe() allows any JSON for a support API endpoint without a schema', () => {
  const get = endpoint({ path: '/notes' });
  const document = describe(support.extend({ notes: { get } }));
  expect(readSchema(document, '/notes', 'get')).toEqual({});
});

test('describe() makes the session optional for a form-encoded support API endpoint', () => {
  const add = endpoint({
    method: 'POST',
    path: '/notes',
    input: { attributes: texts },
    encoding: 'form',
  });
  const document = describe(support.extend({ notes: { add } }));
  const operation = read(document, 'paths', '/notes', 'post');
  expect(read(operation, 'security')).toEqual([{ session: [] }, {}]);
  const form = read(operation, 'requestBody', 'content', 'application/x-www-form-urlencoded');
  expect(read(form, 'schema', 'required')).toEqual(['attributes']);
  expect(read(form, 'encoding')).toEqual({ attributes: { style: 'form', explode: true } });
});

test('describe() documents no security for a public console endpoint', () => {
  const version = endpoint({ path: '/version', auth: 'none' });
  const document = describe(appliance.extend({ own: { version } }));
  expect(read(document, 'paths', '/version', 'get', 'security')).toEqual([]);
});

test.each([
  ['hosting', hosting, 'https://code.test/api/v3'],
  ['support', support, 'https://support.test/api/v2'],
  ['console', appliance, 'https://code.test:8443'],
] as const)(
  'describe() returns the published document for a %s client without added endpoints',
  (api, client, url) => {
    const file = new URL(`../../../openapi/${api}.json`, import.meta.url);
    const expected: object = JSON.parse(
      readFileSync(file, 'utf8').replaceAll('X-Service-', 'X-service-'),
    );
    expect(describe(client)).toEqual({ ...expected, servers: [{ url }] });
  },
);

test("describe() uses the client's vendor in media types and headers", () => {
  const own = { get: endpoint({ path: '/x', accept: ({ vendor }) => `application/${vendor}` }) };
  const client = new HostingClient({ baseUrl: 'https://code.test/', vendor: 'acme' });
  const written = JSON.stringify(describe(client.extend({ own })));
  expect(written).toContain('"application/vnd.acme.v3.star+json"');
  expect(written).toContain('"application/acme"');
  expect(written).toContain('"X-acme-Event"');
  expect(written).not.toMatch(/vnd\.service/);
});

test('describe() includes added endpoints for a client from withAuth()', () => {
  const client = hosting.extend({ own: { get: endpoint({ path: '/x' }) } });
  const { paths } = describe(client.withAuth({ type: 'token', token: 't' }));
  expect(read(paths, '/x', 'get', 'operationId')).toBe('own.get');
});

test.each([
  ['undefined', undefined, 'got undefined'],
  ['an object', {}, 'got an object'],
  ['a group of a client', hosting.pulls, 'got an object'],
])('describe() rejects %s', (_name, value, got) => {
  const act = () => Reflect.apply(describe, undefined, [value]);
  expect(act).toThrow(ConfigurationError);
  expect(act).toThrow(`must be a HostingClient, SupportClient or ConsoleClient (${got})`);
});
