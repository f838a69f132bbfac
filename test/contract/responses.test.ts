import { describe, expect, it } from 'vitest';
import { ContentFile, contentBytes, contentText, HostingClient } from '../../src/hosting/index.js';
import { SupportClient } from '../../src/support/index.js';
import { serve } from '../support/server.js';
import { sampleOf } from '../unit/hosting/samples.js';
import { hostingCases } from './hosting-cases.js';
import { supportRows } from './support-rows.js';

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
/** Operations whose response the contract doesn't specify. */
const hostingCalls = [
  'releases.delete',
  'releases.getLatest',
  'releases.getByTag',
  'releases.getAsset',
  'releases.updateAsset',
  'releases.deleteAsset',
  'releases.uploadAsset',
  'pulls.create',
  'pulls.update',
  'pulls.merge',
  'contents.delete',
  'rateLimit.get',
  'hub.subscribe',
].map((operation) => {
  const found = hostingCases.find((each) => each.operation === operation);
  if (!found) throw new Error(`no case for ${operation}`);
  const { call } = found;
  return [operation, ({ hosting, server }: Clients) => call(hosting, server.origin)] as const;
});

/** Rows whose response the contract doesn't specify. */
const supportCalls = [
  'POST /contact',
  'POST /contact/<contact_id>/profiles/add',
  'POST /contact/<contact_id>/profiles/remove',
  'GET /contact/<contact_id>/profiles',
  'GET /contact/<contact_id>/tags',
  'GET /case/<case_id>',
  'GET /case/<case_id>/messages',
  'POST /case/<case_id>/messages/add',
  'POST /case/<case_id>/messages/remove',
  'GET /case/<case_id>/tags',
  'POST /case/<case_id>/tags (not in the contract)',
].map((row) => {
  const found = supportRows.find((each) => each.row === row);
  if (!found) throw new Error(`no case for ${row}`);
  return [row, ({ support }: Clients) => found.call(support)] as const;
});

describe('unspecified responses', () => {
  it.each<readonly [string, (clients: Clients) => PromiseLike<unknown>]>([
    ...hostingCalls,
    ...supportCalls,
  ])('the client accepts any JSON value as the response of %s', async (_name, call) => {
    for (const reply of [{}, { id: 'seven', tags: 5 }, [1], null, 'text']) {
      const clients = await createClients(reply);
      await expect(
        Promise.resolve(call(clients)).then(() => 'accepted'),
        JSON.stringify(reply),
      ).resolves.toBe('accepted');
    }
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

describe('blank response fields', () => {
  const blank = { first_name: null, tags: null, profiles: null, update_date: null };
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
    const { hosting } = await createClients({ ...sampleOf(ContentFile), size: 0, content: null });
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
    const summary = { url: 'u', name: 'n', id: 1 };
    const { hosting } = await createClients(summary);
    expect(await hosting.teams.create({ org: 'o', name: 'n' })).toEqual(summary);
  });
});
