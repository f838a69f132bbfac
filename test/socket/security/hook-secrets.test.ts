import { describe, expect, it } from 'vitest';
import type { HookEvent, HostingClient } from '../../../src/hosting/index.js';
import { createClient, rejectionOf } from '../../support/client.js';
import { sendJson, serve } from '../../support/server.js';

const here = { owner: 'mona', repo: 'sandbox' };
const basic = { type: 'basic', username: 'mona', password: 'hush-hush' } as const;

/** Calls a server that responds with `text`. Returns the printed error and the sent body. */
async function shown(text: string, call: (client: HostingClient) => PromiseLike<unknown>) {
  const server = await serve((_request, response) => sendJson(response, { message: text }, 422));
  const error = await rejectionOf(call(createClient(server, { auth: basic })));
  expect(error).toMatchObject({ code: 'unprocessable' });
  return { message: String(error), sent: server.requests[0]?.body ?? '' };
}

describe('hook settings', () => {
  const config =
    (settings: Readonly<Record<string, string | boolean>>) => (client: HostingClient) =>
      client.hooks.create({ ...here, name: 'irc', config: settings });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['a secret', { secret: 'qz7wv' }, 'qz7wv'],
    ["a service's own secret setting", { token: 'qz7wv' }, 'qz7wv'],
    ['a password in a URL', { url: 'https://me:qzxwv@h.test/' }, 'qzxwv'],
    [
      'a password in a URL that the server decodes',
      { url: 'https://me:qzx%20wv@h.test/' },
      'qzx wv',
    ],
    ['a password with a stray percent sign', { url: 'https://me:qzx%zz@h.test/' }, 'qzx%zz'],
  ])('the error of hooks.create() masks %s', async (_title, settings, secret) => {
    const { message } = await shown(`it said <${secret}>`, config(settings));
    expect(message).toContain('it said <***>');
  });

  it.each<[string, Readonly<Record<string, string>>, string]>([
    ['a value that is too short to mask', { room: 'qzx' }, 'qzx'],
    ['the delivery URL', { url: 'https://h.test/qzxw' }, 'https://h.test/qzxw'],
    ['the delivery content type', { content_type: 'json' }, 'json'],
    ['a URL without a password', { url: 'https://h.test/' }, 'h.test'],
  ])('the error of hooks.create() shows %s', async (_title, settings, text) => {
    const { message } = await shown(`it said <${text}>`, config(settings));
    expect(message).toContain(`it said <${text}>`);
  });

  it('hooks.create() sends booleans as "1" and "0"', async () => {
    const { sent } = await shown('no', config({ a: true, b: false, c: 'true' }));
    expect(JSON.parse(sent)).toMatchObject({ config: { a: '1', b: '0', c: 'true' } });
  });
});

describe('hub subscriptions', () => {
  const topic = 'https://code.test/mona/sandbox/events/push';
  const subscribe = (callback: string, secret?: string) => (client: HostingClient) =>
    client.hub.subscribe({ 'hub.topic': topic, 'hub.callback': callback, 'hub.secret': secret });

  it.each<[string, string, string | undefined, string]>([
    ['the secret', 'https://h.test/', 'qz7wv', 'qz7wv'],
    ['a secret setting in the query', 'service://irc?token=qz7wv', undefined, 'qz7wv'],
    ['a password in the callback', 'https://me:qzxwv@h.test/', undefined, 'qzxwv'],
  ])('the error of hub.subscribe() masks %s', async (_title, callback, secret, text) => {
    const { message } = await shown(`it said <${text}>`, subscribe(callback, secret));
    expect(message).toContain('it said <***>');
  });

  it("the error of hub.subscribe() shows the callback's host if the secret in its query is empty", async () => {
    const { message } = await shown('it said <h.test>', subscribe('https://h.test/?secret='));
    expect(message).toContain('it said <h.test>');
  });

  it('hub.topic() names an invalid input in its error', async () => {
    const client = createClient({ origin: 'http://127.0.0.1:1' });
    const event = 'push';
    const climbing = '..' as HookEvent; // `as`: JavaScript callers may pass anything.
    for (const [field, names] of [
      ['owner', { ...here, owner: '..', event }],
      ['repo', { ...here, repo: '..', event }],
      ['event', { ...here, event: climbing }],
    ] as const) {
      expect(() => client.hub.topic(names)).toThrow(expect.objectContaining({ field }));
    }
  });
});
