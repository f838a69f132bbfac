import { describe, expect, test } from 'vitest';
import type { HostingAuth } from '../../../src/hosting/index.js';
import { InvalidRequestError } from '../../../src/index.js';
import { application, basic, here, sha, token } from '../../contract/case.js';
import { rejectionOf } from '../../support/client.js';
import { callback, clientWith, type Refused, topic } from './refused.js';

const { clientId: client_id, clientSecret: client_secret } = application;
const to = { url: 'https://hooks.example.com' };
const web = { ...here, name: 'web' };
const file = { ...here, path: 'a.md', message: 'm' };

/** Each case has the required credentials, so only the input is invalid. */
const refusals: readonly [title: string, auth: HostingAuth, field: string, call: Refused][] = [
  [
    'a client secret without a client ID',
    basic,
    'client_id',
    // @ts-expect-error a caller without types
    (c) => c.authorizations.create({ note: 'n', client_secret }),
  ],
  [
    'a client ID without a client secret',
    basic,
    'client_secret',
    // @ts-expect-error a caller without types
    (c) => c.authorizations.create({ note: 'n', client_id }),
  ],
  [
    'a client ID of 19 characters',
    basic,
    'client_id',
    (c) => c.authorizations.create({ note: 'n', client_id: client_id.slice(1), client_secret }),
  ],
  [
    'a client secret of 41 characters',
    basic,
    'client_secret',
    (c) => c.authorizations.getOrCreateForApp({ client_id, client_secret: `${client_secret}x` }),
  ],
  [
    'a client ID of 21 characters',
    basic,
    'client_id',
    (c) => c.authorizations.getOrCreateForApp({ client_id: `${client_id}x`, client_secret }),
  ],
  ...[` ${client_id.slice(1)}`, `${client_id.slice(1)} `, Array.from(client_id)].flatMap(
    (odd): [string, HostingAuth, string, Refused][] => [
      [
        `the client ID ${JSON.stringify(odd)}`,
        application,
        'client_id',
        // `as`: callers without types can pass anything.
        (c) => c.applications.revokeAllTokens({ client_id: odd as string }),
      ],
      [
        `the client ID ${JSON.stringify(odd)} for a new authorization`,
        basic,
        'client_id',
        (c) => c.authorizations.create({ note: 'n', client_id: odd as string, client_secret }),
      ],
    ],
  ),
  [
    'scopes combined with add_scopes',
    basic,
    'add_scopes',
    // @ts-expect-error a caller without types
    (c) => c.authorizations.update({ id: 1, scopes: [], add_scopes: [] }),
  ],
  [
    'scopes combined with remove_scopes',
    basic,
    'remove_scopes',
    // @ts-expect-error a caller without types
    (c) => c.authorizations.update({ id: 1, scopes: [], remove_scopes: [] }),
  ],
  [
    'add_scopes combined with remove_scopes',
    basic,
    'remove_scopes',
    // @ts-expect-error a caller without types
    (c) => c.authorizations.update({ id: 1, add_scopes: ['repo'], remove_scopes: ['user'] }),
  ],
  [
    'an application ID of 3 characters',
    application,
    'client_id',
    (c) => c.applications.revokeAllTokens({ client_id: 'abc' }),
  ],
  [
    'a token that consists of dots',
    application,
    'access_token',
    (c) => c.applications.revokeToken({ client_id, access_token: '..' }),
  ],
  ['a per_page of 101', basic, 'per_page', (c) => c.authorizations.list({ per_page: 101 }).first()],
  ['a page of 0', token, 'page', (c) => c.teams.listMine({ page: 0 }).first()],
  ['a team with an empty name', token, 'name', (c) => c.teams.update({ id: 1, name: '' })],
  [
    'a ref that starts with refs/',
    token,
    'ref',
    // @ts-expect-error a caller without types
    (c) => c.gitRefs.get({ ...here, ref: 'refs/heads/x' }),
  ],
  [
    'an update of a ref that starts with refs/',
    token,
    'ref',
    // @ts-expect-error a caller without types
    (c) => c.gitRefs.update({ ...here, ref: 'refs/heads/x', sha }),
  ],
  [
    'a deletion of a ref that starts with refs/',
    token,
    'ref',
    // @ts-expect-error a caller without types
    (c) => c.gitRefs.delete({ ...here, ref: 'refs/tags/x' }),
  ],
  // @ts-expect-error a caller without types
  ['a branch without heads/', token, 'ref', (c) => c.gitRefs.get({ ...here, ref: 'main' })],
  [
    'a namespace that starts with refs/',
    token,
    'namespace',
    (c) => c.gitRefs.list({ ...here, namespace: 'refs/tags' }).first(),
  ],
  [
    'a new ref without refs/',
    token,
    'ref',
    // @ts-expect-error a caller without types
    (c) => c.gitRefs.create({ ...here, ref: 'heads/x', sha }),
  ],
  [
    'a new ref with one slash',
    token,
    'ref',
    // @ts-expect-error a caller without types
    (c) => c.gitRefs.create({ ...here, ref: 'refs/x', sha }),
  ],
  [
    'a comment with a negative position',
    token,
    'position',
    (c) => c.commitComments.create({ ...here, sha, body: 'b', position: -1 }),
  ],
  [
    'a web hook without a URL',
    token,
    'config.url',
    // @ts-expect-error a caller without types
    (c) => c.hooks.create({ ...here, name: 'web', config: {} }),
  ],
  [
    'a web hook with an empty URL',
    token,
    'config.url',
    (c) => c.hooks.create({ ...here, name: 'web', config: { url: '' } }),
  ],
  [
    'a new file over 1 MB',
    token,
    'content',
    (c) => c.contents.create({ ...file, content: Buffer.alloc(1_048_577) }),
  ],
  [
    'text over 1 MB in UTF-8',
    token,
    'content',
    (c) => c.contents.update({ ...file, sha, content: { text: 'é'.repeat(524_289) } }),
  ],
  [
    'Base64 of more than 1 MB',
    token,
    'content',
    (c) => c.contents.create({ ...file, content: { base64: 'AAAA'.repeat(349_526) } }),
  ],
  [
    'invalid Base64',
    token,
    'content',
    (c) => c.contents.create({ ...file, content: { base64: 'a' } }),
  ],
  [
    'text with an unpaired surrogate',
    token,
    'content',
    (c) => c.contents.create({ ...file, content: { text: 'half \ud800' } }),
  ],
  [
    'a repository name that includes the owner',
    token,
    'repo',
    (c) => c.pulls.list({ ...here, repo: 'acme/rocket' }).first(),
  ],
  [
    'an owner that includes the repository name',
    token,
    'owner',
    (c) => c.starring.star({ ...here, owner: 'a/b' }),
  ],
  [
    'an invalid topic',
    basic,
    'hub.topic',
    (c) =>
      c.hub.subscribe({
        'hub.topic': 'https://code.example.com/mona/sandbox/push',
        'hub.callback': callback,
      }),
  ],
  [
    'a topic with a query',
    basic,
    'hub.topic',
    (c) => c.hub.subscribe({ 'hub.topic': `${topic}?a=1`, 'hub.callback': callback }),
  ],
  [
    'a topic with an unexpected path',
    basic,
    'hub.topic',
    (c) =>
      c.hub.unsubscribe({
        'hub.topic': 'https://code.example.com/a/mona/sandbox/events/push',
        'hub.callback': callback,
      }),
  ],
  [
    'a relative topic',
    basic,
    'hub.topic',
    (c) => c.hub.subscribe({ 'hub.topic': '/mona/sandbox/events/push', 'hub.callback': callback }),
  ],
  [
    'a callback with an unsupported scheme',
    basic,
    'hub.callback',
    (c) => c.hub.subscribe({ 'hub.topic': topic, 'hub.callback': 'github://irc' }),
  ],
  [
    "a callback that isn't a URL",
    basic,
    'hub.callback',
    (c) => c.hub.subscribe({ 'hub.topic': topic, 'hub.callback': 'hooks' }),
  ],
];

describe('a hosting method', () => {
  test.each(refusals)('rejects %s before sending a request', async (_title, auth, field, call) => {
    // This call is outside `rejectionOf`, so that a synchronous throw fails the test.
    const promise = call(clientWith(auth));
    const error = await rejectionOf(promise);
    expect(error).toBeInstanceOf(InvalidRequestError);
    expect(error).toMatchObject({ code: 'invalid_request', field });
  });

  test('rejects ill-typed input at run time', async () => {
    const client = clientWith(token);
    const xml = { ...to, content_type: 'xml' } as const;
    const insecure = { ...to, insecure_ssl: '2' } as const;
    const wild: readonly [field: string, PromiseLike<unknown>][] = [
      // @ts-expect-error an unknown type
      ['type', client.adminStats.get({ type: 'forks' })],
      // @ts-expect-error an unknown variant
      ['mediaType', client.commitComments.get({ ...here, id: 1, mediaType: 'markdown' })],
      // @ts-expect-error an unknown permission
      ['permission', client.teams.create({ org: 'acme', name: 'n', permission: 'owner' })],
      // @ts-expect-error settings can't be nested
      ['config', client.hooks.create({ ...here, name: 'irc', config: { nested: {} } })],
      // @ts-expect-error settings must be an object
      ['config', client.hooks.update({ ...here, id: 1, config: 'url' })],
      // @ts-expect-error an unknown encoding
      ['config.content_type', client.hooks.create({ ...web, config: xml })],
      // @ts-expect-error an unknown encoding
      ['config.content_type', client.hooks.update({ ...here, id: 1, config: xml })],
      // @ts-expect-error neither '0' nor '1'
      ['config.insecure_ssl', client.hooks.update({ ...here, id: 1, config: insecure })],
      // @ts-expect-error the two forms can't be combined
      ['content', client.contents.create({ ...file, content: { base64: '', text: '' } })],
      // @ts-expect-error neither '0' nor '1'
      ['config.insecure_ssl', client.hooks.create({ ...web, config: insecure })],
      // @ts-expect-error an ID must be a number
      ['id', client.teams.get({ id: '3' })],
      // @ts-expect-error the input is missing
      ['input', client.commitComments.get()],
      // @ts-expect-error null isn't an input
      ['input', client.hooks.create(null)],
    ];
    for (const [field, promise] of wild) {
      await expect(Promise.resolve(promise), field).rejects.toMatchObject({
        code: 'invalid_request',
        field,
      });
    }
  });

  test('suggests the correct form of an invalid ref in the error', async () => {
    const { gitRefs } = clientWith(token);
    // @ts-expect-error a caller without types
    await expect(gitRefs.get({ ...here, ref: 'refs/heads/a/b' })).rejects.toThrow(
      "Use 'heads/a/b'",
    );
    // @ts-expect-error a caller without types
    await expect(gitRefs.get({ ...here, ref: 'main' })).rejects.toThrow("use 'heads/main'");
    // @ts-expect-error a caller without types
    await expect(gitRefs.create({ ...here, ref: 'tags/v1', sha })).rejects.toThrow(
      "Use 'refs/tags/v1'",
    );
    await expect(gitRefs.list({ ...here, namespace: 'refs/notes' }).first()).rejects.toThrow(
      "Use 'notes'",
    );
  });

  test('shows at most 40 characters of an invalid state in the error', async () => {
    const { pulls } = clientWith(token);
    const list = (state: string) => pulls.list({ ...here, state: state as 'open' }).first();
    await expect(list('merged')).rejects.toThrow(/must be 'open'.* \(got "merged"/);
    await expect(list('x'.repeat(1000))).rejects.toThrow(/got "x{40}…"/);
  });

  test('hides an invalid client_secret in the error', async () => {
    const secret = `${client_secret}-and-more`;
    const error = await rejectionOf(
      clientWith(basic).authorizations.create({ note: 'n', client_id, client_secret: secret }),
    );
    expect(String(error)).toMatch(/client_secret: must be 40 printable ASCII characters/);
    expect(String(error)).not.toContain(client_secret);
  });
});
