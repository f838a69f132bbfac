import { beforeEach, describe, expect, test } from 'vitest';
import { consoleSeed, type Emulator } from '../../src/testing/index.js';
import { callConsole, createConsole, createFields, signed } from './console-emulator.js';
import { basic } from './send-request.js';

let emulator: Emulator;
const { sendRequest } = callConsole(() => emulator);

beforeEach(() => {
  emulator = createConsole();
});

describe('the console', () => {
  const query = `license_md5=${consoleSeed.licenseMd5}`;
  test.each<[string, number, string, string | null]>([
    ['valid Basic credentials', 200, '', signed],
    [
      'Basic credentials with a lowercase scheme',
      200,
      '',
      signed.toLowerCase().slice(0, 6) + signed.slice(6),
    ],
    ['valid credentials in the query', 200, `?${query}`, null],
    ['no credentials', 401, '', null],
    ['Basic credentials with a wrong hash', 401, '', basic('license', 'x')],
    ['Basic credentials with a wrong user', 401, '', basic('licence', consoleSeed.licenseMd5)],
    ['a valid query and a wrong Basic user', 200, `?${query}`, basic('mona', 'x')],
    ['a valid query and a wrong Basic hash', 401, `?${query}`, basic('license', 'x')],
    ['the Bearer scheme', 401, '', signed.replace('Basic', 'Bearer')],
    ['an unknown scheme that ends in Basic', 401, '', `x${signed}`],
    ['a scheme without credentials', 401, '', 'Basic'],
  ])(
    'the console API responds with $1 to a request with $0',
    async (_name, status, search, auth) => {
      const response = await sendRequest(`GET /maintenance${search}`, { auth });
      expect(response.status).toBe(status);
      if (search !== '') expect(emulator.printRequests()).toContain('license_md5=***');
      if (status === 401) expect(response.data).toEqual({ message: 'Authentication required' });
    },
  );

  test('the console API requires authentication on every route except POST /start', async () => {
    for (const what of emulator.console.routes) {
      const [method = '', path = ''] = what.split(' ');
      expect(path).toMatch(/^\/setup\/api\/[a-z/-]+$/);
      const open = path.endsWith('/start');
      const { status } = await sendRequest(`${method} ${path.replace('/setup/api', '')}`, {
        auth: null,
      });
      expect([what, status]).toEqual([what, open ? 400 : 401]);
    }
    expect(emulator.console.routes).toHaveLength(11);
    expect(emulator.status().families).toHaveProperty('console');
  });
});

test('the console API omits Content-Type from an empty 204', async () => {
  const settings = await sendRequest('GET /settings');
  expect([settings.status, settings.headers.get('content-type')]).toEqual([
    200,
    'application/json',
  ]);
  const head = await sendRequest('HEAD /settings');
  expect([head.status, head.data]).toEqual([200, '']);
  const changed = await sendRequest('PUT /settings', { body: createFields({ settings: '{}' }) });
  expect([changed.status, changed.data, changed.headers.get('content-type')]).toEqual([
    204,
    '',
    null,
  ]);
  const started = await sendRequest('POST /configure');
  expect([started.status, started.data, started.headers.get('location')]).toEqual([
    202,
    '',
    'http://code.test/setup/api/configcheck',
  ]);
  const unknown = await sendRequest('GET /setting');
  expect([unknown.status, unknown.data]).toMatchObject([
    404,
    { nearest: expect.arrayContaining(['GET /setup/api/settings']) },
  ]);
  emulator.console.contentType = 'text/html';
  emulator.reset();
  expect((await sendRequest('GET /settings')).headers.get('content-type')).toBe('application/json');
});

test('a custom console route reads JSON bodies', async () => {
  emulator.console.route('POST /echo/:what', async ({ json, params, user, clock }) => {
    const body = await json();
    return 'none' in body ? undefined : { body: { ...body, ...params, user, now: clock.iso() } };
  });
  const echo = (body: string) =>
    sendRequest('POST /echo/a%20b', { type: 'application/json', body });
  expect(emulator.console.routes).toContain('POST /setup/api/echo/:what');
  expect((await echo('{"a":1}')).data).toEqual({ a: 1, what: 'a b', now: '2014-06-01T12:00:00Z' });
  const none = await echo('{"none":1}');
  expect([none.status, none.data]).toEqual([404, { message: 'Not Found' }]);
  const broken = await echo('[1');
  expect([broken.status, broken.data]).toEqual([400, { message: expect.stringMatching(/./) }]);
});
