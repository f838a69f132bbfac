import { describe, expect, it } from 'vitest';
import { ConsoleClient, SupportClient } from '../../src/index.js';
import { createClient, rejectionOf } from '../support/client.js';
import { sendJson, serve } from '../support/server.js';

const anything = () => serve((_request, response) => sendJson(response, {}));

describe('the extra option', () => {
  it('the extra option of hub.subscribe() rejects the parameter hub.mode', async () => {
    const server = await anything();
    const client = createClient(server, {
      auth: { type: 'basic', username: 'u', password: 'pass-word' },
    });
    const input = {
      'hub.topic': `${server.origin}/o/r/events/push`,
      'hub.callback': 'https://example.com/',
    };
    for (const part of ['query', 'body'] as const) {
      const extra = { [part]: { 'hub.mode': 'unsubscribe' } };
      expect(await rejectionOf(client.hub.subscribe(input, { extra })), part).toMatchObject({
        code: 'invalid_request',
        field: `extra.${part}.hub.mode`,
      });
    }
    expect(server.log).toEqual([]);
  });

  it('the extra option rejects a name that the call also sets in `attributes`', async () => {
    const server = await anything();
    const client = new SupportClient({ baseUrl: server.origin, auth: { accessToken: 'a-token' } });
    const input = { name: 'Mona', attributes: { plan: 'gold' } };
    const call = client.contacts.create(input, { extra: { body: { plan: 'free' } } });
    expect(await rejectionOf(call)).toMatchObject({ field: 'extra.body.plan' });
    await client.close();
    expect(server.log).toEqual([]);
  });

  it('the extra option of maintenance.set() rejects the parameter `maintenance`', async () => {
    const server = await anything();
    const client = new ConsoleClient({
      baseUrl: server.origin,
      auth: { licenseMd5: '0'.repeat(32) },
    });
    const extra = { body: { maintenance: '{"enabled":true,"when":"now"}' } };
    const call = client.maintenance.set({ enabled: false }, { extra });
    expect(await rejectionOf(call)).toMatchObject({ field: 'extra.body.maintenance' });
    await client.close();
    expect(server.log).toEqual([]);
  });
});
