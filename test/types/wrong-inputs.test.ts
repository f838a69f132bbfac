import { describe, expect, it } from 'vitest';
import { ConsoleClient, HostingClient } from '../../src/index.js';

const hosting = new HostingClient({
  baseUrl: 'http://127.0.0.1:1/',
  auth: { type: 'basic', username: 'mona', password: 'secret' },
  retry: false,
});
const appliance = new ConsoleClient({
  baseUrl: 'http://127.0.0.1:1/',
  auth: { licenseMd5: '0'.repeat(32) },
  retry: false,
});

const repo = { owner: 'acme', repo: 'rocket' };
const file = { ...repo, path: 'a.txt', message: 'Add a' };
const client_id = 'a'.repeat(20);
const client_secret = 'b'.repeat(40);
const url = 'https://example.com/hook';
const sha = 'c'.repeat(40);

/** Calls that the compiler rejects and that the client rejects without sending a request. */
const wrong: readonly (readonly [string, () => PromiseLike<unknown>])[] = [
  [
    'contents.create with a plain string',
    // @ts-expect-error a string could be text or Base64
    () => hosting.contents.create({ ...file, content: 'aGk=' }),
  ],
  [
    'contents.update with a plain string',
    // @ts-expect-error a string could be text or Base64
    () => hosting.contents.update({ ...file, sha, content: 'aGk=' }),
  ],
  [
    'contents.create with text and base64',
    // @ts-expect-error the two forms can't be combined
    () => hosting.contents.create({ ...file, content: { text: 'hi', base64: 'aGk=' } }),
  ],
  [
    'authorizations.create with client_id but no client_secret',
    // @ts-expect-error client_id requires client_secret
    () => hosting.authorizations.create({ note: 'n', client_id }),
  ],
  [
    'authorizations.create with client_secret but no client_id',
    // @ts-expect-error client_secret requires client_id
    () => hosting.authorizations.create({ note: 'n', client_secret }),
  ],
  [
    'authorizations.update with scopes and add_scopes',
    // @ts-expect-error only one list of scopes is allowed
    () => hosting.authorizations.update({ id: 1, scopes: [], add_scopes: ['repo'] }),
  ],
  [
    'authorizations.update with add_scopes and remove_scopes',
    // @ts-expect-error scopes can't be added and removed in one call
    () => hosting.authorizations.update({ id: 1, add_scopes: ['repo'], remove_scopes: ['user'] }),
  ],
  [
    'gitRefs.create without refs/',
    // @ts-expect-error the name must be fully qualified
    () => hosting.gitRefs.create({ ...repo, sha, ref: 'heads/x' }),
  ],
  [
    'gitRefs.create with one slash',
    // @ts-expect-error the name must contain two slashes
    () => hosting.gitRefs.create({ ...repo, sha, ref: 'refs/x' }),
  ],
  [
    'gitRefs.get with refs/',
    // @ts-expect-error the name must not start with refs/
    () => hosting.gitRefs.get({ ...repo, ref: 'refs/heads/x' }),
  ],
  [
    'gitRefs.delete without a namespace',
    // @ts-expect-error the namespace is missing
    () => hosting.gitRefs.delete({ ...repo, ref: 'main' }),
  ],
  [
    'hooks.create for a web hook without a URL',
    // @ts-expect-error config.url is required
    () => hosting.hooks.create({ ...repo, name: 'web', config: {} }),
  ],
  [
    'pulls.create with neither a title nor an issue',
    // @ts-expect-error either a title or an issue is required
    () => hosting.pulls.create({ ...repo, head: 'x', base: 'main' }),
  ],
  [
    'pulls.create with a title and an issue',
    // @ts-expect-error a title and an issue can't be combined
    () => hosting.pulls.create({ ...repo, head: 'x', base: 'main', title: 't', issue: 1 }),
  ],
  [
    'upgrade without files',
    // @ts-expect-error a license or a package is required
    () => appliance.upgrade({}),
  ],
  [
    'maintenance.set without a time',
    // @ts-expect-error `when` is required to enable maintenance
    () => appliance.maintenance.set({ enabled: true }),
  ],
];

/** Calls that the compiler accepts. The tests never make these calls. */
const accepted: Readonly<Record<string, (flag: boolean, name: string) => unknown>> = {
  service: (_flag, name) => hosting.hooks.create({ ...repo, name, config: {} }),
  irc: () => hosting.hooks.create({ ...repo, name: 'irc', config: { server: 'irc.example.com' } }),
  web: () => hosting.hooks.create({ ...repo, name: 'web', config: { url, secret: 's' } }),
  ping: () => hosting.hooks.create({ ...repo, name: 'web', config: { url }, events: ['ping'] }),
  branch: (_flag, name) => hosting.gitRefs.get({ ...repo, ref: `heads/${name}` }),
  newBranch: (_flag, name) => hosting.gitRefs.create({ ...repo, sha, ref: `refs/heads/${name}` }),
  stash: () => hosting.gitRefs.get({ ...repo, ref: 'stash' }),
  maintenance: (flag) => appliance.maintenance.set({ enabled: flag, when: 'now' }),
  off: () => appliance.maintenance.set({ enabled: false }),
  scopes: (flag) =>
    hosting.authorizations.update({ id: 1, add_scopes: flag ? ['repo'] : undefined }),
  application: () => hosting.authorizations.create({ note: '', client_id, client_secret }),
  unsubscribed: () => hosting.hub.subscribe({ 'hub.topic': url }),
  unknownEvent: () =>
    // @ts-expect-error an unknown event
    hosting.hooks.create({ ...repo, name: 'web', config: { url }, events: ['pusch'] }),
  unknownTopic: () =>
    // @ts-expect-error an unknown event
    hosting.hub.topic({ ...repo, event: 'pusch' }),
};

it('the compiler accepts valid calls', () => {
  expect(Object.values(accepted)).not.toHaveLength(0);
});

describe('invalid calls', () => {
  it.each(wrong)('the compiler and the client reject %s', async (_name, call) => {
    await expect(
      (async () => {
        await call();
      })(),
    ).rejects.toMatchObject({ code: 'invalid_request' });
  });

  it('the error for a plain string names both forms of content', async () => {
    // @ts-expect-error a string could be text or Base64
    const call = hosting.contents.create({ ...file, content: 'aGk=' });
    await expect(call).rejects.toMatchObject({
      field: 'content',
      message: expect.stringMatching(/\{ text \}.*\{ base64 \}/),
    });
  });
});
