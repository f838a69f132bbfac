import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ConsoleClient } from '../../src/console/index.js';
import { HostingClient } from '../../src/hosting/index.js';
import { SupportClient } from '../../src/support/index.js';
import { rejectionOf } from '../support/client.js';
import { serve } from '../support/server.js';

const Titled = z.object({ title: z.string().transform((text) => text.toUpperCase()) });
const repository = { owner: 'acme', repo: 'rocket' };
const pull = { ...repository, number: 1 };

/** Clients of a server that answers every request with the same JSON. */
async function answering(body: unknown, status = 200) {
  const server = await serve((_request, response) => {
    response.writeHead(status, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body));
  });
  const baseUrl = server.origin;
  return {
    server,
    hosting: new HostingClient({ baseUrl, auth: { type: 'token', token: 'secret' } }),
    support: new SupportClient({ baseUrl, auth: { accessToken: 'secret' } }),
    appliance: new ConsoleClient({ baseUrl, auth: { licenseMd5: '0'.repeat(32) } }),
  };
}

describe('a schema of the caller', () => {
  it('judges in place of the model, and its output is the result', async () => {
    const { hosting } = await answering({ title: 'old' });
    const call = hosting.pulls.get(pull, { schema: Titled });
    expect(await call).toEqual({ title: 'OLD' });
    expect((await call.withResponse()).response.status).toBe(200);
  });

  it.each([null, 5, {}, { '~standard': {} }])(
    'that is none, %j, is refused by a raw request before it is sent',
    async (schema) => {
      const { hosting, server } = await answering([]);
      const calls = [
        Reflect.apply(hosting.request, hosting, [{ method: 'POST', path: '/x', schema }]),
        Reflect.apply(hosting.paginate, hosting, [{ path: '/x', schema }]).toArray(),
      ];
      for (const call of calls) {
        expect(await rejectionOf(call)).toMatchObject({ code: 'invalid_request', field: 'schema' });
      }
      expect(server.log).toEqual([]);
    },
  );

  it('may be a function, as those of some libraries are', async () => {
    const { hosting } = await answering({ title: 'old' });
    const schema = Object.assign(() => undefined, { '~standard': Titled['~standard'] });
    expect(await hosting.pulls.get(pull, { schema })).toEqual({ title: 'OLD' });
    expect(await hosting.request({ path: '/x', schema })).toEqual({ title: 'OLD' });
  });

  it('judges each item of a list, and of a search', async () => {
    const one = await answering([{ title: 'a' }, { title: 'b' }]);
    const list = one.hosting.pulls.list(repository, { schema: Titled });
    expect(await list.toArray()).toEqual([{ title: 'A' }, { title: 'B' }]);
    const two = await answering({ success: true, total: 1, items: [{ title: 'a' }] });
    const search = two.support.contacts.search({}, { schema: Titled });
    expect(await search.toArray()).toEqual([{ title: 'A' }]);
  });

  it('judges what the console sends, before any mapping of the model', async () => {
    const status = z.object({ status: z.literal('on'), connection_services: z.unknown() });
    const { appliance } = await answering({ status: 'on', connection_services: [{ number: '1' }] });
    const { connection_services } = await appliance.maintenance.get({ schema: status });
    expect(connection_services).toEqual([{ number: '1' }]);
  });

  it('says what does not fit, by the place in the answer', async () => {
    const { hosting } = await answering([{ title: 'a' }, { title: 7 }]);
    const failed = await rejectionOf(hosting.pulls.list(repository, { schema: Titled }).toArray());
    expect(failed).toMatchObject({ code: 'response_shape', issues: [{ path: [1, 'title'] }] });
  });

  it.each(['warn', 'off'] as const)(
    'lets pass what does not fit with validation %s',
    async (validation) => {
      const { hosting } = await answering({ title: 7 });
      expect(await hosting.pulls.get(pull, { schema: Titled, validation })).toEqual({ title: 7 });
    },
  );

  it('leaves an answer of null as it is: a token that is not valid', async () => {
    const { server } = await answering({ message: 'Not Found' }, 404);
    const auth = {
      type: 'application',
      clientId: 'a'.repeat(20),
      clientSecret: 'b'.repeat(40),
    } as const;
    const hosting = new HostingClient({ baseUrl: server.origin, auth });
    const input = { client_id: 'a'.repeat(20), access_token: 'c' };
    expect(await hosting.applications.checkToken(input, { schema: Titled })).toBeNull();
  });

  it('must be one, and wants an answer to judge', async () => {
    const { server, hosting } = await answering({});
    const wrong = rejectionOf(hosting.pulls.get(pull, { schema: {} as never }));
    expect(await wrong).toMatchObject({ code: 'invalid_request', field: 'schema' });
    const star = hosting.starring.star(repository, { schema: Titled } as never);
    expect(await rejectionOf(star)).toMatchObject({ field: 'schema' });
    expect(server.log).toEqual([]);
  });
});
