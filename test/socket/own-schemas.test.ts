import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { ConsoleClient } from '../../src/console/index.js';
import { HostingClient } from '../../src/hosting/index.js';
import { createSchema, type StandardSchema } from '../../src/schema/standard-schema.js';
import { SupportClient } from '../../src/support/index.js';
import { rejectionOf, watchRejections } from '../support/client.js';
import { serve } from '../support/server.js';

const Titled = z.object({ title: z.string().transform((text) => text.toUpperCase()) });
const repository = { owner: 'acme', repo: 'rocket' };
const pull = { ...repository, number: 1 };

/** Creates clients and a server that responds to every request with `body` as JSON. */
async function respondWith(body: unknown, status = 200) {
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

describe('custom schemas', () => {
  it('a custom schema replaces the model and determines the result of the call', async () => {
    const { hosting } = await respondWith({ title: 'old' });
    const call = hosting.pulls.get(pull).as(Titled);
    expect(await call).toEqual({ title: 'OLD' });
    expect((await call.withResponse()).response.status).toBe(200);
  });

  it.each([null, 5, {}, { '~standard': {} }])(
    'request() and paginate() reject %j as the schema',
    async (schema) => {
      const { hosting, server } = await respondWith([]);
      const calls = [
        Reflect.apply(hosting.request, hosting, ['POST /x', {}, { schema }]),
        Reflect.apply(hosting.paginate, hosting, ['GET /x', {}, { schema }]).toArray(),
      ];
      for (const call of calls) {
        expect(await rejectionOf(call)).toMatchObject({ code: 'invalid_request', field: 'schema' });
      }
      expect(server.log).toEqual([]);
    },
  );

  const boom = new Error('boom: token secret');
  it.each<[string, StandardSchema['~standard']['validate']]>([
    ['throws', () => expect.unreachable(boom.message)],
    ['rejects', async () => await Promise.reject(boom)],
    // `as`: JavaScript callers can pass anything.
    ['returns nothing', () => undefined as never],
    ['returns no issues', () => ({ issues: [] })],
  ])('a schema that %s causes a ResponseShapeError after a write', async (how, validate) => {
    const { hosting, server } = await respondWith({ id: 1 });
    const schema = createSchema(validate);
    const create = () => hosting.releases.create({ ...repository, tag_name: 'v1' });
    for (const call of [create().as(schema), hosting.request('POST /x', {}, { schema })]) {
      const error = await rejectionOf(call);
      expect(error).toMatchObject({ code: 'response_shape', mayHaveActed: true });
      expect(error).toHaveProperty('issues.length', 1);
      if (how !== 'returns no issues') expect(error).toHaveProperty('cause');
      expect(inspect(error, { showHidden: true })).not.toContain('token secret');
    }
    expect(server.log).toHaveLength(2);
  });

  it('a custom schema validates each item in a list or a search', async () => {
    const one = await respondWith([{ title: 'a' }, { title: 'b' }]);
    const list = one.hosting.pulls.list(repository).as(Titled);
    expect(await list.toArray()).toEqual([{ title: 'A' }, { title: 'B' }]);
    const last = list.as(z.object({ title: z.string() }));
    expect(await last.first()).toEqual({ title: 'a' });
    const two = await respondWith({ success: true, total: 1, items: [{ title: 'a' }] });
    const search = two.support.contacts.search().as(Titled);
    expect(await search.toArray()).toEqual([{ title: 'A' }]);
  });

  it.each(['warn', 'off'] as const)(
    "a custom schema rejects a mismatch even with `validation: '%s'`",
    async (validation) => {
      const { hosting } = await respondWith({ title: 7 });
      const failed = rejectionOf(hosting.pulls.get(pull, { validation }).as(Titled));
      expect(await failed).toMatchObject({ code: 'response_shape' });
    },
  );

  it('as() skips validation for a 404 that resolves to null', async () => {
    const { server } = await respondWith({ message: 'Not Found' }, 404);
    const auth = {
      type: 'application',
      clientId: 'a'.repeat(20),
      clientSecret: 'b'.repeat(40),
    } as const;
    const hosting = new HostingClient({ baseUrl: server.origin, auth });
    const input = { client_id: 'a'.repeat(20), access_token: 'c' };
    expect(await hosting.applications.checkToken(input).as(Titled)).toBeNull();
  });

  it.each([null, 5, {}, { '~standard': {} }])('as() rejects %j as the schema', async (wrong) => {
    const { hosting } = await respondWith([{ title: 'a' }]);
    const schema = wrong as never;
    const single = hosting.pulls.get(pull, { validation: 'off' }).as(schema);
    expect(await rejectionOf(single)).toMatchObject({ code: 'invalid_request', field: 'as' });
    const list = hosting.pulls.list(repository).as(schema).first();
    expect(await rejectionOf(list)).toMatchObject({ code: 'invalid_request', field: 'as' });
  });

  it('as() rejects a value that is not a schema before the server responds', async () => {
    const server = await serve(() => undefined);
    await using hosting = new HostingClient({ baseUrl: server.origin, retry: false });
    const call: Promise<unknown> = hosting.pulls.get(pull, { timeout: 5000 }).as(5 as never);
    expect(await rejectionOf(call)).toMatchObject({ code: 'invalid_request', field: 'as' });
  });

  it('as() rejects if the response of the method is not JSON', async () => {
    const { hosting } = await respondWith({});
    const star = hosting.starring.star(repository);
    const call: Promise<unknown> = Reflect.apply(Reflect.get(star, 'as'), star, [Titled]);
    expect(await rejectionOf(call)).toMatchObject({
      message: 'as: must not be called on a method whose response is not JSON',
    });
  });

  it('as() rejects after the client has decoded the response', async () => {
    const { hosting } = await respondWith({ title: 'old' });
    const call = hosting.pulls.get(pull, { validation: 'off' });
    await call;
    expect(await rejectionOf(call.as(Titled))).toMatchObject({
      message:
        "as: must be called before the response is decoded. Call as() on the method's result, before any await.",
    });
    expect(await call).toEqual({ title: 'old' });
  });

  it("the original call's promise rejects after as() is called", async () => {
    const { hosting } = await respondWith({ title: 'old' });
    const original = hosting.pulls.get(pull);
    const call = original.as(Titled);
    expect(await call).toEqual({ title: 'OLD' });
    expect(await rejectionOf(original)).toMatchObject({ code: 'invalid_request', field: 'as' });
    expect(await rejectionOf(original.withResponse())).toMatchObject({ field: 'as' });
    expect((await call.withResponse()).data).toEqual({ title: 'OLD' });
  });

  it('as() causes no unhandled rejection if the call fails', async () => {
    const rejections = watchRejections();
    const { hosting, server } = await respondWith({ message: 'Not Found' }, 404);
    const call = hosting.pulls.get(pull).as(Titled).as(Titled);
    expect(await rejectionOf(call)).toMatchObject({ status: 404 });
    const unsent = hosting.pulls.get({ ...pull, number: 0 }).as(Titled);
    expect(await rejectionOf(unsent)).toMatchObject({ code: 'invalid_request' });
    expect(server.log).toHaveLength(1);
    expect(await rejections()).toEqual([]);
  });
});
