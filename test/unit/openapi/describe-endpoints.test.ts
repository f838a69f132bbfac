import { expect, test } from 'vitest';
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
import { describe } from '../../../src/openapi/index.js';
import { hosting, Issue, read, readSchema } from './described-clients.js';

const inRepo = { owner: filledText, repo: filledText };
const issuesPath = '/repos/{owner}/{repo}/issues';

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
  // Endpoints with the same schema share one component.
  expect(readSchema(document, '/first-issue', 'get')).toEqual(item);
  const headers = read(operation, 'responses', '2XX', 'headers');
  expect(headers).toHaveProperty('Link');
});

test.each([
  ['exists', 'False.'],
  ['none', undefined],
] as const)(
  "describe() doesn't document content for the response type %s",
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

test('describe() documents an added endpoint instead of the built-in endpoint with the same path', () => {
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
