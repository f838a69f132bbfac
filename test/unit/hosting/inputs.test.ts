import { describe, expect, onTestFinished, test } from 'vitest';
import type { HostingAuth } from '../../../src/hosting/index.js';
import { HostingClient, InvalidRequestError } from '../../../src/index.js';
import type { Paginated } from '../../../src/transport/pagination/paginated.js';
import { application, basic, here, sha, token } from '../../contract/case.js';
import { rejectionOf } from '../../support/client.js';

/**
 * Creates a client without a reachable server, so every sent request fails with a connection error.
 */
function clientWith(auth: HostingAuth): HostingClient {
  const client = new HostingClient({
    baseUrl: 'http://127.0.0.1:1/api/v3',
    auth,
    retry: false,
  });
  onTestFinished(() => client.close());
  return client;
}

/** Calls a method with any input, as callers without types can. Requests only a list's first item. */
function call(client: HostingClient, operation: string, input: unknown): PromiseLike<unknown> {
  const [resource = '', method = ''] = operation.split('.');
  const methods: Readonly<
    Record<string, (input: unknown) => PromiseLike<unknown> | Paginated<unknown>>
  > = Reflect.get(client, resource);
  const result = methods[method]?.(input) ?? expect.unreachable(`${operation} is not a method`);
  return 'first' in result ? result.first() : result;
}

/** Returns the credentials that a method requires. */
function requiredAuth(operation: string): HostingAuth {
  if (operation.startsWith('applications.')) return application;
  return /^(?:authorizations|hub)\./.test(operation) ? basic : token;
}

const { clientId: client_id, clientSecret: client_secret } = application;
const note = 'n';
const topic = 'https://code.example.com/mona/sandbox/events/push';
const callback = 'https://hooks.example.com';
const url = callback;
const web = { ...here, name: 'web', config: { url } };
const hook = { ...here, id: 1 };
const irc = { ...here, name: 'irc' };
const file = { ...here, path: 'a.md', message: 'm' };
const branches = { ...here, head: 'h', base: 'b' };

type Row = readonly [operation: string, what: string, field: string, input: unknown];

/** Creates a row for each value of an input. */
const each = (
  operation: string,
  field: string,
  values: readonly unknown[],
  inputOf: (value: unknown) => unknown,
) => values.map((value): Row => [operation, JSON.stringify(value), field, inputOf(value)]);

const invalid: readonly Row[] = [
  ['authorizations.create', 'only a client secret', 'client_id', { note, client_secret }],
  ['authorizations.create', 'only a client ID', 'client_secret', { note, client_id }],
  ...each(
    'authorizations.create',
    'client_id',
    [client_id.slice(1), ` ${client_id.slice(1)}`, Array.from(client_id)],
    (odd) => ({ note, client_id: odd, client_secret }),
  ),
  ['applications.revokeAllTokens', 'a short client ID', 'client_id', { client_id: 'abc' }],
  [
    'authorizations.getOrCreateForApp',
    'a client secret of 41 characters',
    'client_secret',
    { client_id, client_secret: `${client_secret}x` },
  ],
  [
    'authorizations.update',
    'scopes and add_scopes',
    'add_scopes',
    { id: 1, scopes: [], add_scopes: [] },
  ],
  [
    'authorizations.update',
    'scopes and remove_scopes',
    'remove_scopes',
    { id: 1, scopes: [], remove_scopes: [] },
  ],
  [
    'authorizations.update',
    'add_scopes and remove_scopes',
    'remove_scopes',
    { id: 1, add_scopes: ['repo'], remove_scopes: ['user'] },
  ],
  [
    'applications.revokeToken',
    'a token that consists of dots',
    'access_token',
    { client_id, access_token: '..' },
  ],
  ['teams.create', 'an unknown permission', 'permission', { org: 'a', name: 'n', permission: 'x' }],
  ['commitComments.get', 'an unknown variant', 'mediaType', { ...hook, mediaType: 'markdown' }],
  ['commitComments.get', 'a missing input', 'input', undefined],
  ...each('gitRefs.get', 'ref', ['refs/heads/x', 'main'], (ref) => ({ ...here, ref })),
  ...each('gitRefs.create', 'ref', ['heads/x', 'refs/x', 'main', 'xrefs/heads/main'], (ref) => ({
    ...here,
    ref,
    sha,
  })),
  ['commitComments.create', 'position -1', 'position', { ...here, sha, body: 'b', position: -1 }],
  ...each('hooks.create', 'config.url', [{}, { url: '' }], (config) => ({ ...web, config })),
  ...each('hooks.create', 'config', [null, [], { nested: {} }], (config) => ({
    ...irc,
    config,
  })),
  ...each('hooks.create', 'events', ['push', ['push', 7], [null]], (events) => ({
    ...web,
    events,
  })),
  ...each(
    'contents.create',
    'committer',
    ['mona', { name: 'm' }, { name: 'm', email: '' }],
    (committer) => ({ ...file, content: { text: '' }, committer }),
  ),
  ...each(
    'contents.create',
    'content',
    ['aGk=', { base64: 'a' }, { base64: '', text: '' }],
    (content) => ({ ...file, content }),
  ),
  ...each(
    'contents.update',
    'content',
    ['aGk=', null, {}, { base64: 'YQ' }, { base64: '!!!!YQ==' }, { base64: 'YQ==', text: 'a' }],
    (content) => ({ ...file, sha, content }),
  ),
  ['pulls.list', 'a repo that includes the owner', 'repo', { ...here, repo: 'acme/rocket' }],
  ['pulls.create', 'neither a title nor an issue', 'title', branches],
  ['pulls.create', 'a title and an issue', 'issue', { ...branches, title: 't', issue: 1 }],
  ['pulls.create', 'a body and an issue', 'issue', { ...branches, body: 'b', issue: 1 }],
];

const valid: readonly (readonly [operation: string, what: string, input: unknown])[] = [
  ['gitRefs.get', 'a branch named heads/x', { ...here, ref: 'heads/heads/x' }],
  ['hooks.create', 'a null setting', { ...irc, config: { a: null } }],
  ['hooks.create', 'insecure_ssl 1', { ...web, config: { url, insecure_ssl: '1' } }],
  ['hooks.create', 'content_type form', { ...web, config: { url, content_type: 'form' } }],
  ['pulls.create', 'an issue', { ...branches, issue: 1 }],
];

describe('a hosting method', () => {
  test.each(invalid)(
    '%s() rejects %s without sending a request, and the error names the method and the field %s',
    async (operation, _what, field, input) => {
      // This call is outside `rejectionOf`, so that a synchronous throw fails the test.
      const promise = call(clientWith(requiredAuth(operation)), operation, input);
      const error = await rejectionOf(promise);
      expect(error).toBeInstanceOf(InvalidRequestError);
      expect(error).toMatchObject({ code: 'invalid_request', field });
      expect(String(error)).toContain(`${operation}: `);
    },
  );

  test.each(valid)('%s() accepts %s', async (operation, _what, input) => {
    const promise = call(clientWith(requiredAuth(operation)), operation, input);
    expect(await rejectionOf(promise)).toMatchObject({ code: 'connection' });
  });

  test.each<[operation: string, input: object, suggestion: string | RegExp]>([
    ['gitRefs.get', { ...here, ref: 'refs/heads/a/b' }, "Use 'heads/a/b'"],
    ['gitRefs.create', { ...here, ref: 'tags/v1', sha }, "Use 'refs/tags/v1'"],
    ['contents.create', { ...file, content: 'aGk=' }, /\{ text \}.*\{ base64 \}/],
  ])('%s() suggests the correct form of the input %j', async (operation, input, suggestion) => {
    const promise = call(clientWith(token), operation, input);
    await expect(Promise.resolve(promise)).rejects.toThrow(suggestion);
  });

  test('hides an invalid client_secret in the error', async () => {
    const secret = `${client_secret}-and-more`;
    const error = await rejectionOf(
      clientWith(basic).authorizations.create({ note, client_id, client_secret: secret }),
    );
    expect(String(error)).toMatch(/client_secret: must be 40 printable ASCII characters/);
    expect(String(error)).not.toContain(client_secret);
  });
});

describe('a hosting method with the wrong kind of credentials', () => {
  const others: readonly HostingAuth[] = [
    token,
    { ...token, in: 'query' },
    { type: 'none' },
    async () => token,
  ];
  const named = { client_id, access_token: 'abc' };
  const subscription = { 'hub.topic': topic, 'hub.callback': callback };
  const needsBasic: readonly (readonly [operation: string, input?: object])[] = [
    ['authorizations.list'],
    ['authorizations.get', { id: 1 }],
    ['authorizations.create', { note }],
    ['authorizations.getOrCreateForApp', { client_id, client_secret }],
    ['authorizations.update', { id: 1 }],
    ['authorizations.delete', { id: 1 }],
    ['hub.subscribe', subscription],
    ['hub.unsubscribe', subscription],
  ];
  const needsApplication: readonly (readonly [operation: string, input: object])[] = [
    ['applications.checkToken', named],
    ['applications.resetToken', named],
    ['applications.revokeToken', named],
    ['applications.revokeAllTokens', { client_id }],
  ];

  const kinds = [
    ['Basic authentication', needsBasic, application, /a username and password/],
    ['application credentials', needsApplication, basic, /client ID and secret/],
  ] as const;
  test.each(kinds)('is rejected if it requires %s', async (_kind, operations, wrong, says) => {
    for (const auth of [...others, wrong]) {
      for (const [operation, input] of operations) {
        const error = await rejectionOf(call(clientWith(auth), operation, input));
        expect(error).toMatchObject({ code: 'configuration', option: 'auth' });
        expect(String(error)).toContain(`: ${operation}: auth: `);
        expect(String(error)).toMatch(says);
      }
    }
  });
});
