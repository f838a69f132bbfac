import { inspect } from 'node:util';
import { describe, expect, it } from 'vitest';
import { createClient, rejectionOf } from '../../support/client.js';
import { sendJson, serve } from '../../support/server.js';
import { shown, watchEvents } from './planted.js';

/** Starts a server that echoes the request in each part of an error response. */
const echo = () =>
  serve((request, response) => {
    const all = `${request.url} ${request.body} ${JSON.stringify(request.headers)}`;
    const value: unknown = request.body.startsWith('{') ? JSON.parse(request.body) : undefined;
    sendJson(response, { message: all, errors: [{ message: all }], value }, 422);
  });

describe('inputs named in the option `secret`', () => {
  it.each<[string, unknown]>([
    ['a list', ['pl4nted-one', 'pl4nted-two']],
    ['a nested object', { first: 'pl4nted-one', second: { third: ['pl4nted-two'] } }],
    ['a number', 914_273_645],
    ['a list with numbers', [914_273_645, { a: 914_273_645 }]],
    ['a date', new Date('2031-01-02T03:04:05.678Z')],
  ])('an error hides a secret input that is %s', async (_name, value) => {
    const events = watchEvents();
    const client = createClient(await echo());
    const secret = { secret: ['value'] };
    const isPlain = typeof value !== 'object' || Array.isArray(value);
    const calls = [
      client.request('POST /vault', { value }, secret),
      ...(isPlain && !JSON.stringify(value).includes('{')
        ? [
            client.request('POST /vault', { value }, { ...secret, encoding: 'form' }),
            client.request('GET /vault', { value }, secret),
          ]
        : []),
    ];
    for (const error of await Promise.all(calls.map(rejectionOf))) {
      for (const each of [...shown(error), ...events]) {
        expect(each).not.toMatch(/pl4nted|914.?273.?645|2031-01-02T03/);
      }
    }
  });
});

describe('header names that end in key', () => {
  it.each(['x-gatewaykey', 'X_Gateway_Key', 'x-api-key', 'Key', 'GatewayKEY', 'access_key'])(
    'an error masks the header %s',
    async (name) => {
      const server = await echo();
      const headers = { [name]: 'pl4nted-value' };
      const errors = await Promise.all(
        [
          createClient(server, { headers }).request('GET /x'),
          createClient(server).request('GET /x', {}, { headers }),
        ].map(rejectionOf),
      );
      for (const error of errors) {
        for (const each of shown(error)) expect(each).not.toContain('pl4nted');
      }
    },
  );
});

it.each<[object, 'json' | 'form']>([
  [{ accessKey: 'pl4nted-value' }, 'json'],
  [{ access_key: ['pl4nted-value'] }, 'json'],
  [{ credentials: { user: 'pl4nted-value' } }, 'json'],
  [{ token: 914_273_645 }, 'json'],
  [{ otp: 914_273_645 }, 'form'],
])('an error masks a secret property of a request body (%o as %s)', async (body, encoding) => {
  const call = createClient(await echo()).request('POST /x', { ...body }, { encoding });
  for (const each of shown(await rejectionOf(call))) {
    expect(each).not.toMatch(/pl4nted|914273645/);
  }
});

it('errors, events and log lines hide a token in the host name', async () => {
  const token = 'pl4nted-lab3l';
  const events = watchEvents();
  const lines: string[] = [];
  const note = (line: string) => lines.push(line);
  const client = createClient(
    { origin: `http://${token}.localhost:1` },
    {
      auth: { type: 'token', token },
      retry: false,
      log: { debug: note, info: note, warn: note, error: note },
    },
  );
  const error = await rejectionOf(client.request('GET /x'));
  for (const each of [...shown(error), ...events, ...lines, inspect(client, { depth: 9 })]) {
    expect(each).not.toContain('pl4nted');
  }
});

it.each([
  ['contains it in the host', 'http://pl4nted-tok3n.test/x'],
  ['contains it in the path', '/pl4nted-tok3n/x'],
  ['equals the URL of the current page', '/api/v3/x'],
])('an error hides the token if the URL of the next page %s', async (_where, next) => {
  const token = 'pl4nted-tok3n';
  const events = watchEvents();
  const server = await serve((_request, response) =>
    sendJson(response, [1], 200, { link: `<${next}>; rel="next"` }),
  );
  const client = createClient(server, { auth: { type: 'token', token } });
  const error = await rejectionOf(client.paginate('GET /x').toArray());
  expect(error).toMatchObject({ code: 'response_shape' });
  const { message, request, issues } = Object(error);
  for (const each of [message, ...shown([request, issues]), ...events]) {
    expect(each).not.toContain('pl4nted');
  }
});
