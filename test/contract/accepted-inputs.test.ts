import { describe, expect, it } from 'vitest';
import { ConsoleClient, HostingClient } from '../../src/index.js';
import { SupportClient } from '../../src/support/index.js';
import { serve } from '../support/server.js';
import { key } from './rows/console.js';

/** Creates clients for a server that accepts every request. */
async function clients(reply: unknown = {}) {
  const server = await serve((_request, response) => response.end(JSON.stringify(reply)));
  const baseUrl = `${server.origin}/`;
  const off = { validation: 'off' } as const;
  return {
    server,
    hosting: new HostingClient({
      baseUrl,
      auth: { type: 'basic', username: 'mona', password: 'secret' },
      ...off,
    }),
    support: new SupportClient({ baseUrl, auth: { accessToken: 'token' }, ...off }),
    appliance: new ConsoleClient({ baseUrl, auth: { licenseMd5: '0'.repeat(32) }, ...off }),
  };
}

type Clients = Awaited<ReturnType<typeof clients>>;

const repo = { owner: 'o', repo: 'r' };
const web = { ...repo, name: 'web', config: { url: 'https://example.com' } } as const;
const at = '/repos/o/r';

/** Inputs that the contract allows, with the expected request body. */
const bodies: readonly {
  readonly name: string;
  readonly call: (clients: Clients) => PromiseLike<unknown>;
  readonly body: object;
}[] = [
  {
    name: 'a subscription to the ping event',
    call: ({ hosting }) => hosting.hooks.create({ ...web, events: ['ping'] }),
    body: { name: 'web', config: web.config, events: ['ping'] },
  },
  {
    name: 'an empty note',
    call: ({ hosting }) => hosting.authorizations.create({ note: '' }),
    body: { note: '' },
  },
  {
    name: 'an empty comment without a position',
    call: ({ hosting }) =>
      hosting.commitComments.create({ ...repo, sha: 's', body: '', path: '', position: null }),
    body: { body: '', path: '', position: null },
  },
  {
    name: 'an empty commit message',
    call: ({ hosting }) =>
      hosting.contents.create({ ...repo, path: 'a', message: '', content: { text: '' } }),
    body: { message: '', content: '' },
  },
  {
    name: 'an empty target_commitish and null for name and body',
    call: ({ hosting }) =>
      hosting.releases.create({
        ...repo,
        tag_name: 'v1',
        target_commitish: '',
        name: null,
        body: null,
      }),
    body: { tag_name: 'v1', target_commitish: '', name: null, body: null },
  },
  {
    name: 'a reference with two slashes',
    call: ({ hosting }) => hosting.gitRefs.create({ ...repo, ref: 'refs//x', sha: 's' }),
    body: { ref: 'refs//x', sha: 's' },
  },
];

/** Dynamic attributes that the contract allows, with the expected form. */
const attributes: readonly {
  readonly name: string;
  readonly call: (clients: Clients) => PromiseLike<unknown>;
  readonly form: string;
}[] = [
  {
    name: 'names from Object.prototype',
    call: ({ support }) =>
      support.contacts.update({
        contact_id: 7,
        name: 'Ada',
        attributes: JSON.parse('{"constructor":"a","prototype":"b","__proto__":"c"}'),
      }),
    form: 'name=Ada&constructor=a&prototype=b&__proto__=c&access_token=token',
  },
  {
    name: 'names that only cases.create has as inputs',
    call: ({ support }) =>
      support.cases.update({
        case_id: 9,
        attributes: { campaign: 'a', source: 'b', private: true },
      }),
    form: 'campaign=a&source=b&private=true&access_token=token',
  },
  {
    name: 'the name echo_data in a contact update',
    call: ({ support }) =>
      support.contacts.update({ contact_id: 7, name: 'Ada', attributes: { echo_data: 'a' } }),
    form: 'name=Ada&echo_data=a&access_token=token',
  },
];

describe('accepted inputs', () => {
  it.each(bodies.map((each) => [each.name, each] as const))(
    'a client method sends %s',
    async (_name, each) => {
      const { call, body } = each;
      const all = await clients();
      await call(all);
      expect(JSON.parse(all.server.requests[0]?.body ?? '')).toEqual(body);
    },
  );

  it.each(attributes.map((each) => [each.name, each] as const))(
    'a client method sends dynamic attributes with %s',
    async (_name, { call, form }) => {
      const all = await clients();
      await call(all);
      expect(all.server.requests[0]?.body).toBe(form);
    },
  );

  it('hub.subscribe() sends callbacks with the schemes service and github', async () => {
    const { server } = await clients();
    const hosting = new HostingClient({
      baseUrl: `${server.origin}/`,
      vendor: 'github',
      auth: { type: 'basic', username: 'mona', password: 'secret' },
      validation: 'off',
    });
    const topic = 'https://code.example.com/o/r/events/push';
    for (const callback of ['service://irc?room=a', 'github://irc?room=a']) {
      await hosting.hub.subscribe({ 'hub.topic': topic, 'hub.callback': callback });
      expect(server.requests.at(-1)?.body).toContain(encodeURIComponent(callback));
    }
  });

  it.each([
    { namespace: '/tags', path: '/git/refs/tags' },
    { namespace: '/', path: '/git/refs' },
  ])(
    'gitRefs.list() lists the references in the namespace $namespace',
    async ({ namespace, path }) => {
      const { hosting, server } = await clients([]);
      await hosting.gitRefs.list({ ...repo, namespace }).toArray();
      expect(server.log).toEqual([`GET ${at}${path}`]);
    },
  );

  it.each([
    ['two keys', `${key}\n${key}`],
    ['options', `no-pty,command="echo \\"hi there\\"" ${key}`],
    ['comments and blank lines', `# of mona\n\n${key}\r\n`],
  ])('authorizedKeys.add() uploads a key file with %s', async (_name, file) => {
    const { appliance, server } = await clients([]);
    await appliance.authorizedKeys.add({ authorized_key: Buffer.from(file) });
    expect(server.requests[0]?.body).toContain(file.trim());
  });

  it('cases.search() returns the total even if count is 0', async () => {
    const { support, server } = await clients({ success: true, total: 7, items: [] });
    const pages = await support.cases.search({ count: 0 }).pages().next();
    expect(pages.value).toMatchObject({ items: [], total: 7 });
    expect(await support.cases.search({ count: 0 }).toArray()).toEqual([]);
    expect(server.requests).toHaveLength(2);
  });
});
