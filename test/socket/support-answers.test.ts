import { describe, expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import type { SupportClient } from '../../src/index.js';
import { world } from './support-world.js';

/** Creates a client for a service that sends the responses in order. */
async function respondWith(...responses: readonly unknown[]): Promise<SupportClient> {
  let requests = 0;
  const { client } = await world({
    respond: (_request, response) => {
      response.end(JSON.stringify(responses[Math.min(requests++, responses.length - 1)]));
    },
  });
  onTestFinished(() => client.close());
  return client;
}

const profile = { contact_id: 7, source: 'sms', ext_id: '1' };

describe('response.outcome', () => {
  test.each<[unknown, unknown]>([
    [{ success: true }, { success: true, statusMessage: undefined }],
    [{ statusMessage: 'merged' }, { success: undefined, statusMessage: 'merged' }],
    [
      { success: true, statusMessage: 7 },
      { success: true, statusMessage: undefined },
    ],
    [
      { success: 'yes', statusMessage: 'merged' },
      { success: undefined, statusMessage: 'merged' },
    ],
    [{ success: 'yes', statusMessage: 7 }, undefined],
    [{}, undefined],
    [[], undefined],
    [null, undefined],
    ['ok', undefined],
  ])('a response with the body %j has the outcome %j', async (result, outcome) => {
    const client = await respondWith(result);
    const { data, response } = await client.contacts.addProfile(profile).withResponse();
    expect(data).toBeUndefined();
    expect(response.outcome).toEqual(outcome);
  });

  test('response.outcome contains the outcome of a write', async () => {
    const output = { success: true, statusMessage: 'merged with 8' };
    const { client } = await world({
      respond: (request, response) => {
        const record = request.url.includes('/tags') ? { data: { id: 7 } } : { id: 7, name: 'x' };
        response.end(
          JSON.stringify({ ...output, ...(request.url.includes('/add') ? {} : record) }),
        );
      },
    });
    const calls = [
      client.contacts.update({ contact_id: 7, name: 'x' }),
      client.contacts.updateTags({ contact_id: 7, add: ['a'] }),
      client.contacts.addProfile({ contact_id: 7, source: 'sms', ext_id: '1' }),
      client.cases.addMessage({ case_id: 7, source: 'sms', ext_id: '1' }),
    ];
    for (const call of calls) {
      const { response } = await call.withResponse();
      expect(response.outcome).toEqual(output);
    }
    expect(await calls[0]).toEqual({ id: 7, name: 'x' });
    expect(await calls[2]).toBeUndefined();
    await client.close();
  });

  test.each([
    ['a reason', 'No room', 'No room'],
    ["a reason that isn't a string", 7, undefined],
    ['no reason', undefined, undefined],
  ])(
    'a support response with success: false and %s causes an OperationFailedError',
    async (_what, output, statusMessage) => {
      const client = await respondWith({ success: false, statusMessage: output });
      for (const send of [
        () => client.contacts.addProfile(profile),
        () => client.me(),
        () => client.request('GET /campaign'),
      ]) {
        await expect(send()).rejects.toMatchObject({ code: 'operation_failed', statusMessage });
      }
    },
  );

  test('response.outcome contains the outcome of a call of request()', async () => {
    const schema = z.object({ name: z.string() });
    const { client } = await world({
      respond: (_request, response) => response.end('{"success":true,"name":"Spring","more":1}'),
    });
    onTestFinished(() => client.close());
    const call = client.request('GET /campaign', {}, { schema });
    const { data, response } = await call.withResponse();
    expect(data).toEqual({ name: 'Spring' });
    expect(response.outcome).toMatchObject({ success: true });
  });
});

describe('support records', () => {
  test.each<[string, unknown]>([
    ['from the top level', { id: 7, plan: 'a' }],
    ['from `data`', { success: true, data: { id: 7, plan: 'a' } }],
    [
      'from a field named after its type',
      { success: true, data: 'none', case: { id: 7, plan: 'a' } },
    ],
    ['without the outcome fields', { success: true, statusMessage: 'ok', id: 7, plan: 'a' }],
  ])('the client reads a support record %s', async (_where, response) => {
    const client = await respondWith(response);
    expect(await client.cases.get({ case_id: 7 })).toEqual({ id: 7, plan: 'a' });
  });

  test('a support record keeps attributes named like outcome fields', async () => {
    const record = { id: 7, success: 'often', statusMessage: 'on holiday' };
    const client = await respondWith(record);
    expect(await client.contacts.get({ contact_id: 7 })).toEqual(record);
  });

  test.each<[unknown, readonly unknown[]]>([
    [{ success: true }, ['id']],
    [{ success: true, data: 5 }, ['id']],
    [null, []],
    ['text', []],
    [[{ id: 7 }], []],
  ])('the client rejects %j as a support record', async (response, path) => {
    const client = await respondWith(response);
    const call = client.contacts.get({ contact_id: 7 });
    await expect(call).rejects.toMatchObject({ code: 'response_shape', issues: [{ path }] });
  });
});

describe('SupportClient.paginate()', () => {
  test.each<[Readonly<Record<string, unknown>> | undefined, readonly string[]]>([
    [undefined, ['', '?index=2', '?index=4']],
    [{ state: 'Open' }, ['?state=Open', '?state=Open&index=2', '?state=Open&index=4']],
    [{ index: '3', state: 'Open' }, ['?index=3&state=Open']],
    [{ index: 0 }, ['?index=0', '?index=2', '?index=4']],
  ])('SupportClient.paginate() paginates by index with the inputs %j', async (inputs, requests) => {
    const { client, server } = await world({
      respond: ({ url }, response) => {
        const index = Number(new URL(url, 'http://host').searchParams.get('index'));
        const items = [1, 2, 3, 4, 5].slice(index, index + 2);
        response.end(JSON.stringify({ total: 5, items }));
      },
    });
    onTestFinished(() => client.close());
    await client.paginate('GET /case', inputs).toArray();
    const pages = server.log.slice(1).map((line) => line.replace(/[?&]access_token=.*/, ''));
    expect(pages).toEqual(requests.map((each) => `GET /api/v2/case${each}`));
  });

  test.each([
    ['a missing route', [], 'route'],
    ['a string as the inputs', ['GET /case', 'index=1'], 'inputs'],
  ])('SupportClient.paginate() rejects %s', async (_what, given, field) => {
    const { client, server } = await world();
    onTestFinished(() => client.close());
    const list = Reflect.apply(client.paginate, client, given);
    await expect(list.toArray()).rejects.toMatchObject({ code: 'invalid_request', field });
    expect(server.log).toEqual([]);
  });
});
