import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { ConsoleClient, type ExtraInputs, HostingClient, SupportClient } from '../../src/index.js';
import { rejectionOf } from '../support/client.js';
import { serve } from '../support/server.js';

const repository = { owner: 'acme', repo: 'rocket' };

/** Creates clients for all APIs and a server that sends empty responses. */
async function world() {
  const server = await serve(({ method, url }, response) => {
    const isList = method === 'GET' && /keys|stargazers/.test(url);
    response.setHeader('content-type', 'application/json');
    if (url.endsWith('/stargazers?color=red')) {
      response.setHeader('link', `<${server.origin}/next?color=red&page=2>; rel="next"`);
    }
    response.end(isList || url.startsWith('/next') ? '[]' : '{"items":[]}');
  });
  const common = { baseUrl: server.origin, validation: 'off' } as const;
  const hosting = new HostingClient({ ...common, auth: { type: 'token', token: 'secrettoken' } });
  const support = new SupportClient({ ...common, auth: { accessToken: 'secrettoken' } });
  const appliance = new ConsoleClient({ ...common, auth: { licenseMd5: '0'.repeat(32) } });
  return { server, hosting, support, appliance };
}

describe('the extra option', () => {
  it('adds query parameters to reads and lists', async () => {
    const { server, hosting, support } = await world();
    await hosting.pulls.get({ ...repository, number: 1 }, { extra: { query: { color: 'red' } } });
    await hosting.starring
      .listStargazers(repository, { extra: { query: { color: 'red' } } })
      .toArray();
    await support.contacts
      .search({ count: 2 }, { extra: { query: { color: ['a', 'b'] } } })
      .first();
    expect(server.log).toEqual([
      'GET /repos/acme/rocket/pulls/1?color=red',
      'GET /repos/acme/rocket/stargazers?color=red',
      'GET /next?color=red&page=2',
      'GET /contact?count=2&color=a&color=b&access_token=secrettoken',
    ]);
  });

  it("adds query and body parameters to a write's own inputs", async () => {
    const { server, hosting, support, appliance } = await world();
    const extra = { query: { q: 1 }, body: { make_latest: 'legacy' } };
    await hosting.releases.create({ ...repository, tag_name: 'v1' }, { extra });
    await support.contacts.create({ name: 'Mona' }, { extra });
    await appliance.settings.update({ enterprise: { private_mode: true } }, { extra });
    await appliance.upgrade({ license: Buffer.from('a license') }, { extra });
    const bodies = server.requests.map(({ body }) => body);
    expect(JSON.parse(bodies[0] ?? '')).toEqual({ tag_name: 'v1', make_latest: 'legacy' });
    expect(bodies[1]).toBe('name=Mona&make_latest=legacy&access_token=secrettoken');
    expect(new URLSearchParams(bodies[2]).get('make_latest')).toBe('legacy');
    expect(bodies[3]).toMatch(/name="make_latest"\r\n\r\nlegacy\r\n/);
    expect(server.requests.map(({ url }) => url.replace(/^.*\?/, ''))).toEqual([
      'q=1',
      'q=1',
      'q=1',
      'q=1',
    ]);
  });

  it('adds a body to a bodiless write only if extra.body is set', async () => {
    const { server } = await world();
    const hosting = new HostingClient({ baseUrl: server.origin, validation: 'off', cache: true });
    await hosting.hooks.ping({ ...repository, id: 1 }, { extra: { body: { deliver: true } } });
    expect(server.requests.at(-1)?.body).toBe('{"deliver":true}');
    await hosting.hooks.ping({ ...repository, id: 1 }, { extra: { query: { q: 1 } } });
    expect(server.requests.at(-1)?.body, 'no body without extra.body').toBe('');
  });

  const getUpload = ({ origin }: { readonly origin: string }) => ({
    upload_url: `${origin}/assets{?name}`,
    name: 'a.bin',
    content_type: 'application/octet-stream',
    data: Buffer.from('bytes'),
  });

  it("repeats an upload's query parameter for each array item", async () => {
    const { server, hosting } = await world();
    const extra = { query: { color: ['a', 'b'] } };
    await hosting.releases.uploadAsset(getUpload(server), { extra });
    expect(server.log).toEqual(['POST /assets?name=a.bin&color=a&color=b']);
  });

  it('the client masks secrets from `extra` in the error for a failed upload', async () => {
    const { server, hosting } = await world();
    const extra = { query: { api_key: 'hunter22hunter22' } };
    await hosting.releases.uploadAsset(getUpload(server), { extra });
    expect(server.log).toEqual(['POST /assets?name=a.bin&api_key=hunter22hunter22']);
    await server.close();
    const failed = await rejectionOf(
      hosting.releases.uploadAsset(getUpload(server), { extra, retry: false }),
    );
    expect(String(failed)).not.toContain('hunter22');
  });

  it.each<[string, ExtraInputs, string]>([
    ['an input that the method already has', { body: { tag_name: 'v2' } }, 'extra.body.tag_name'],
    ['a path variable', { query: { owner: 'other' } }, 'extra.query.owner'],
    ['a credential', { query: { access_token: 'x' } }, 'extra.query.access_token'],
    ['an unknown property', JSON.parse('{ "header": {} }'), 'extra.header'],
    ['a string as the query', JSON.parse('{ "query": "color=red" }'), 'extra.query'],
    ["a value that JSON can't express", { body: { color: 1n } }, 'body'],
    ["a value that a query can't express", { query: { color: Number.NaN } }, 'extra.query.color'],
  ])('rejects %s', async (_what, extra, field) => {
    const { server, hosting } = await world();
    const create = hosting.releases.create({ ...repository, tag_name: 'v1' }, { extra });
    expect(await rejectionOf(create)).toMatchObject({ code: 'invalid_request', field });
    expect(server.log).toEqual([]);
  });

  it('the client rejects extra.body for a read, and the extra option for a raw request', async () => {
    const { server, hosting } = await world();
    const get = hosting.pulls.get({ ...repository, number: 1 }, { extra: { body: { a: 1 } } });
    expect(await rejectionOf(get)).toMatchObject({ field: 'extra.body' });
    const reading = { extra: { body: { a: undefined } } };
    expect(await hosting.pulls.get({ ...repository, number: 1 }, reading)).toEqual({ items: [] });
    const raw = Reflect.apply(hosting.request, hosting, ['GET /x', {}, { extra: {} }]);
    expect(await rejectionOf(raw)).toMatchObject({ field: 'extra' });
    expect(server.log).toEqual(['GET /repos/acme/rocket/pulls/1']);
  });

  it.each<[string, object]>([
    ['an object', { config: { url: 'a', secret: 'hunter22hunter22' } }],
    ['a list of objects', { keys: [{ a: 1 }, { deeper: [{ password: 'hunter22hunter22' }] }] }],
    ['a list of secrets', { tokens: ['hunter22hunter22'] }],
  ])('the client masks a secret in %s (in extra and raw JSON)', async (_where, body) => {
    const server = await serve((request, response) =>
      response.writeHead(422).end(JSON.stringify({ message: `refused: ${request.body}` })),
    );
    const hosting = new HostingClient({ baseUrl: server.origin });
    const input = { ...repository, tag_name: 'v1' };
    const calls = [
      hosting.releases.create(input, { extra: { body: { ...body } } }),
      hosting.request('POST /x', { ...body }),
    ];
    for (const error of await Promise.all(calls.map(rejectionOf))) {
      expect(String(error)).toContain('refused: ');
      expect(inspect(error, { depth: 9 }) + JSON.stringify(error)).not.toContain('hunter22');
    }
    expect(server.requests[0]?.body).toContain('hunter22hunter22');
  });

  it('the client leaves a nested `code` unmasked (in extra and raw JSON)', async () => {
    const server = await serve((request, response) =>
      response.writeHead(422).end(JSON.stringify({ message: `refused: ${request.body}` })),
    );
    const hosting = new HostingClient({ baseUrl: server.origin });
    const json = { problems: [{ code: 'already_exists' }] };
    for (const send of [
      () => hosting.releases.create({ ...repository, tag_name: 'v1' }, { extra: { body: json } }),
      () => hosting.request('POST /x', json),
    ]) {
      expect(String(await rejectionOf(send()))).toContain('already_exists');
    }
  });

  it('the error for an unknown input suggests the extra option', async () => {
    const { hosting } = await world();
    const input = { ...repository, tag_name: 'v1', make_latest: 'true' };
    const refused = await rejectionOf(hosting.releases.create(input));
    expect(String(refused)).toContain('extra: { query, body }');
  });

  it('the client masks secrets from `extra` in the error for a failed connection', async () => {
    const { server, hosting } = await world();
    const extra = { query: { api_key: 'hunter22' } };
    await server.close();
    const failed = await rejectionOf(
      hosting.pulls.get({ ...repository, number: 1 }, { extra, retry: false }),
    );
    expect(String(failed)).not.toContain('hunter22');
  });

  it('rejects the parameter hub.mode of hub.subscribe()', async () => {
    const { server, hosting } = await world();
    const auth = { type: 'basic', username: 'u', password: 'pass-word' } as const;
    const input = {
      'hub.topic': `${server.origin}/o/r/events/push`,
      'hub.callback': 'https://example.com/',
    };
    for (const part of ['query', 'body'] as const) {
      const extra = { [part]: { 'hub.mode': 'unsubscribe' } };
      const call = hosting.withAuth(auth).hub.subscribe(input, { extra });
      expect(await rejectionOf(call), part).toMatchObject({
        code: 'invalid_request',
        field: `extra.${part}.hub.mode`,
      });
    }
    expect(server.log).toEqual([]);
  });

  it('rejects a name that the call also sets in `attributes`', async () => {
    const { server, support } = await world();
    const input = { name: 'Mona', attributes: { plan: 'gold' } };
    const call = support.contacts.create(input, { extra: { body: { plan: 'free' } } });
    expect(await rejectionOf(call)).toMatchObject({ field: 'extra.body.plan' });
    expect(server.log).toEqual([]);
  });

  it('rejects the parameter `maintenance` of maintenance.set()', async () => {
    const { server, appliance } = await world();
    const extra = { body: { maintenance: '{"enabled":true,"when":"now"}' } };
    const call = appliance.maintenance.set({ enabled: false }, { extra });
    expect(await rejectionOf(call)).toMatchObject({ field: 'extra.body.maintenance' });
    expect(server.log).toEqual([]);
  });
});
