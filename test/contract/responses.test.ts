import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { contentBytes, contentText, HostingClient } from '../../src/hosting/index.js';
import { SupportClient } from '../../src/support/index.js';
import { serve } from '../support/server.js';

/** Creates clients for a server that responds to every request with `reply`. */
async function createClients(reply: unknown, status = 200) {
  const server = await serve((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(reply));
  });
  const support = new SupportClient({
    baseUrl: `${server.origin}/api/v2/`,
    auth: { accessToken: 'token' },
  });
  const hosting = new HostingClient({
    baseUrl: `${server.origin}/`,
    auth: { type: 'basic', username: 'mona', password: 'secret' },
  });
  return { server, support, hosting };
}

type Clients = Awaited<ReturnType<typeof createClients>>;

const repo = { owner: 'o', repo: 'r' };
const file = { ...repo, path: 'a', message: 'm', sha: 's' };
const topic = 'https://web.example.com/o/r/events/push';

/** Every call whose response the contract doesn't specify, by operation. */
const calls: Readonly<Record<string, (clients: Clients) => PromiseLike<unknown>>> = {
  'contacts.create': ({ support }) => support.contacts.create({ name: 'Ada' }),
  'contacts.addProfile': ({ support }) =>
    support.contacts.addProfile({ contact_id: 7, source: 'email', ext_id: 'a' }),
  'contacts.removeProfile': ({ support }) =>
    support.contacts.removeProfile({ contact_id: 7, source: 'email', ext_id: 'a' }),
  'contacts.listProfiles': ({ support }) => support.contacts.listProfiles({ contact_id: 7 }),
  'contacts.listTags': ({ support }) => support.contacts.listTags({ contact_id: 7 }),
  'cases.get': ({ support }) => support.cases.get({ case_id: 9 }),
  'cases.listMessages': ({ support }) => support.cases.listMessages({ case_id: 9 }),
  'cases.addMessage': ({ support }) =>
    support.cases.addMessage({ case_id: 9, source: 'email', ext_id: 'a' }),
  'cases.removeMessage': ({ support }) =>
    support.cases.removeMessage({ case_id: 9, source: 'email', ext_id: 'a' }),
  'cases.listTags': ({ support }) => support.cases.listTags({ case_id: 9 }),
  'cases.updateTags': ({ support }) => support.cases.updateTags({ case_id: 9, add: ['a'] }),
  'releases.delete': ({ hosting }) => hosting.releases.delete({ ...repo, id: 1 }),
  'releases.getLatest': ({ hosting }) => hosting.releases.getLatest(repo),
  'releases.getByTag': ({ hosting }) => hosting.releases.getByTag({ ...repo, tag: 'v1' }),
  'releases.getAsset': ({ hosting }) => hosting.releases.getAsset({ ...repo, id: 1 }),
  'releases.updateAsset': ({ hosting }) =>
    hosting.releases.updateAsset({ ...repo, id: 1, name: 'a' }),
  'releases.deleteAsset': ({ hosting }) => hosting.releases.deleteAsset({ ...repo, id: 1 }),
  'releases.uploadAsset': ({ hosting, server }) =>
    hosting.releases.uploadAsset({
      upload_url: `${server.origin}/assets{?name}`,
      name: 'a',
      content_type: 'text/plain',
      data: Buffer.from('a'),
    }),
  'pulls.create': ({ hosting }) =>
    hosting.pulls.create({ ...repo, title: 't', head: 'h', base: 'b' }),
  'pulls.update': ({ hosting }) => hosting.pulls.update({ ...repo, number: 1, title: 't' }),
  'pulls.merge': ({ hosting }) => hosting.pulls.merge({ ...repo, number: 1 }),
  'contents.delete': ({ hosting }) => hosting.contents.delete(file),
  'commitComments.create with mediaType: html': ({ hosting }) =>
    hosting.commitComments.create({ ...repo, sha: 's', body: 'b', mediaType: 'html' }),
  'rateLimit.get': ({ hosting }) => hosting.rateLimit.get(),
  'hub.subscribe': ({ hosting }) =>
    hosting.hub.subscribe({ 'hub.topic': topic, 'hub.callback': 'https://example.com' }),
};

describe('unspecified responses', () => {
  it.each(Object.entries(calls))(
    'the client accepts any JSON value as the response of %s',
    async (_name, call) => {
      for (const reply of [
        {},
        { ref: 5 },
        { id: 'seven', tags: 5 },
        [],
        [1],
        null,
        5,
        'text',
        true,
      ]) {
        const clients = await createClients(reply);
        await expect(
          Promise.resolve(call(clients)).then(() => 'accepted'),
          JSON.stringify(reply),
        ).resolves.toBe('accepted');
        expect(clients.server.requests).toHaveLength(1);
      }
    },
  );

  it('the client rejects a response that reports a failure', async () => {
    const { support } = await createClients({ success: false, statusMessage: 'no such campaign' });
    await expect(support.contacts.create({ name: 'Ada' })).rejects.toMatchObject({
      code: 'operation_failed',
      statusMessage: 'no such campaign',
    });
  });

  it('the client validates a response with the schema passed to as()', async () => {
    const { support } = await createClients({ contact_id: 'seven' });
    const schema = z.object({ contact_id: z.int() });
    await expect(support.contacts.create({ name: 'Ada' }).as(schema)).rejects.toMatchObject({
      code: 'response_shape',
    });
  });

  it('the client publishes triforge:shape-drift for a known field of the wrong type', async () => {
    const reported: unknown[] = [];
    const listen = (message: unknown) => void reported.push(message);
    subscribe('triforge:shape-drift', listen);
    try {
      const { support } = await createClients({ contact_id: { a: 1 } });
      await support.contacts.create({ name: 'Ada' });
    } finally {
      unsubscribe('triforge:shape-drift', listen);
    }
    expect(reported).toMatchObject([
      { model: 'ContactCreated', issues: [{ path: ['contact_id'] }] },
    ]);
  });
});

describe('cases.get()', () => {
  const found = { id: 9, subject: 'Help' };

  it.each([
    ['that is the response itself', found],
    ['in the field `case`', { success: true, case: found }],
    ['in the field `data`', { success: true, data: found }],
  ])('finds a case %s', async (_name, reply) => {
    const { support } = await createClients(reply);
    expect(await support.cases.get({ case_id: 9 })).toEqual(found);
    expect(await support.cases.updateTags({ case_id: 9, add: ['a'] })).toEqual(found);
  });
});

describe('support lists', () => {
  it.each<[reply: unknown, items: unknown[]]>([
    [{ tags: [{ id: 1, name: 'vip' }, 'new'] }, [{ id: 1, name: 'vip' }, 'new']],
    [['vip'], ['vip']],
    [{ success: true, statusMessage: 'ok' }, []],
    [{ success: true, tags: null }, []],
    [null, []],
    [{ name: 'vip' }, [{ name: 'vip' }]],
  ])('listTags() maps the response %j to the items %j', async (reply, items) => {
    const { support } = await createClients(reply);
    expect(await support.contacts.listTags({ contact_id: 7 })).toEqual(items);
    expect(await support.cases.listTags({ case_id: 7 })).toEqual(items);
  });

  it('removeMessage() accepts a numeric ext_id from a list', async () => {
    const { support, server } = await createClients({
      messages: [{ source: 'twitter', ext_id: 55 }],
    });
    const [message] = await support.cases.listMessages({ case_id: 9 });
    expect(message?.ext_id).toBe(55);
    await support.cases.removeMessage({
      case_id: 9,
      source: 'twitter',
      ext_id: message?.ext_id ?? '',
    });
    expect(server.requests[1]?.body).toContain('ext_id=55');
  });

  it('a search response without an items field yields no items', async () => {
    const { support } = await createClients({ success: true, total: 0 });
    expect(await support.contacts.search().toArray()).toEqual([]);
    expect(await support.contacts.changedSince().toArray()).toEqual([]);
  });

  it('search() accepts contacts without an ID, but changedSince() rejects them', async () => {
    const { support } = await createClients({
      items: [{ name: 'Ada' }, { name: 'Grace' }],
      total: 2,
    });
    expect(await support.contacts.search().toArray()).toHaveLength(2);
    await expect(support.contacts.changedSince().toArray()).rejects.toMatchObject({
      code: 'response_shape',
    });
  });
});

describe('hooks.listServices()', () => {
  it.each<[reply: unknown, items: unknown]>([
    [[{ name: 'web' }], [{ name: 'web' }]],
    [[{ name: 'web', events: null, schema: { url: 'string' } }], expect.anything()],
    [['web'], ['web']],
    [{ services: [{ name: 'web' }] }, [{ name: 'web' }]],
    [{ web: { events: ['push'] } }, [{ web: { events: ['push'] } }]],
  ])('returns the services in %j', async (reply, items) => {
    const { hosting } = await createClients(reply);
    expect(await hosting.hooks.listServices().toArray()).toEqual(items);
  });
});

const time = '2015-02-20T16:32:51Z';
const user = { login: 'mona', id: 1, avatar_url: null, url: 'u' };

const release = {
  ...{ url: 'u', html_url: 'h', assets_url: 'a', upload_url: 'u{?name}', id: 1, tag_name: 'v1' },
  ...{ target_commitish: null, name: null, body: null, draft: true, prerelease: false },
  ...{ created_at: time, published_at: null, author: user },
  assets: [
    {
      ...{
        url: 'u',
        id: 1,
        name: 'a',
        label: null,
        state: 'uploaded',
        content_type: null,
        size: 0,
      },
      ...{ download_count: 0, created_at: time, updated_at: time, uploader: null },
    },
  ],
};

const comment = {
  ...{ html_url: 'h', url: 'u', id: 1, body: null, path: null, position: null, line: null },
  ...{ commit_id: 's', user: null, created_at: time, updated_at: time },
};

const links = { self: 's', git: 'g', html: 'h' };
const entry = { type: 'file', size: 0, name: 'a', path: 'a', sha: 's', _links: links };
const emptyFile = { ...entry, encoding: 'base64', content: null };

const person = { name: null, email: null, date: time };
const written = {
  content: entry,
  commit: {
    ...{ sha: 's', url: 'u', html_url: null, author: person, committer: person, message: null },
    ...{ tree: { url: 'u', sha: 's' }, parents: [] },
  },
};

const authorization = {
  ...{ id: 1, url: 'u', scopes: [], token: 't', note: null, note_url: null },
  ...{ app: { url: null, name: 'n', client_id: 'c' }, created_at: time, updated_at: time },
};

const summary = { url: 'u', name: 'n', id: 1 };
const organization = { login: 'o', id: 1, url: 'u', avatar_url: null };

const blankResponses: readonly {
  readonly name: string;
  readonly reply: unknown;
  readonly call: (clients: Clients) => PromiseLike<unknown>;
}[] = [
  {
    name: 'a release',
    reply: release,
    call: ({ hosting }) =>
      hosting.releases.create({ ...repo, tag_name: 'v1', target_commitish: '' }),
  },
  {
    name: 'a commit comment',
    reply: comment,
    call: ({ hosting }) => hosting.commitComments.create({ ...repo, sha: 's', body: '' }),
  },
  {
    name: 'a file',
    reply: emptyFile,
    call: ({ hosting }) => hosting.contents.get({ ...repo, path: 'a' }),
  },
  {
    name: "a file's commit",
    reply: written,
    call: ({ hosting }) =>
      hosting.contents.create({ ...repo, path: 'a', message: '', content: { text: '' } }),
  },
  {
    name: 'an authorization',
    reply: authorization,
    call: ({ hosting }) => hosting.authorizations.create({ note: '' }),
  },
  {
    name: "a team's organization",
    reply: { ...summary, permission: null, members_count: 0, repos_count: 0, organization },
    call: ({ hosting }) => hosting.teams.get({ id: 1 }),
  },
];

describe('blank response fields', () => {
  const blank = { first_name: null, tags: null, profiles: null, update_date: null };
  it.each(blankResponses.map((each) => [each.name, each] as const))(
    'the client accepts null fields in %s',
    async (_name, { reply, call }) => {
      expect(await call(await createClients(reply))).toEqual(reply);
    },
  );

  it.each([
    ['a contact', { id: 7, ...blank }],
    ['a case', { id: 7, contact: { id: 7, ...blank }, campaign: null, state: null }],
  ])('the client accepts null fields in %s', async (name, reply) => {
    const { support } = await createClients(reply);
    const call =
      name === 'a case'
        ? support.cases.update({ case_id: 7 })
        : support.contacts.get({ contact_id: 7 });
    await expect(call).resolves.toEqual(reply);
    await expect(support.contacts.changedSince().toArray()).resolves.toEqual([reply]);
  });

  it('the client decodes null content to zero bytes', async () => {
    const { hosting } = await createClients(emptyFile);
    const readme = await hosting.contents.getReadme(repo);
    expect(contentBytes(readme)).toHaveLength(0);
    expect(contentText(readme)).toBe('');
  });

  it('the client accepts null as the total of a search', async () => {
    const { support } = await createClients({ success: true, total: null, items: [{ id: 1 }] });
    expect(await support.cases.search().first()).toEqual({ id: 1 });
    expect(await support.contacts.search().first()).toEqual({ id: 1 });
  });

  it('teams.create() accepts a response that contains only a team summary', async () => {
    const { hosting } = await createClients(summary);
    expect(await hosting.teams.create({ org: 'o', name: 'n' })).toEqual(summary);
  });
});
