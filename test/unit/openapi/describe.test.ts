import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { endpoint, optional, text, texts } from '../../../src/extend/index.js';
import { ConfigurationError, HostingClient } from '../../../src/hosting/index.js';
import { describe } from '../../../src/openapi/index.js';
import { appliance, hosting, Issue, read, readSchema, support } from './described-clients.js';

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

test('describe() sets an empty security list for a public console endpoint', () => {
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
