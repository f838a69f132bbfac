import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import * as z from 'zod';
import { ConsoleClient } from '../../src/console/index.js';
import { endpoint, filledText, integer, optional, paging, text } from '../../src/extend/index.js';
import { HostingClient, User } from '../../src/hosting/index.js';
import { SupportClient } from '../../src/support/index.js';
import {
  consoleSeed,
  createEmulator,
  type Emulator,
  seeded,
  supportSeed,
} from '../../src/testing/index.js';

const repo = { owner: seeded.owner, repo: seeded.repo };
const inRepo = { owner: filledText, repo: filledText };
const Issue = z.object({ number: z.int(), title: z.string() });
const path = '/repos/{owner}/{repo}/issues';

let emulator: Emulator;
let hosting: HostingClient;
beforeEach(() => {
  emulator = createEmulator();
  hosting = new HostingClient({
    baseUrl: 'https://code.test/api/v3/',
    auth: { type: 'token', token: seeded.token },
    dispatcher: emulator.dispatcher(),
    retry: { baseDelay: 0 },
  });
});
afterEach(() => hosting.close());

const sent = () => emulator.requests.map(({ status }) => status);

describe('custom hosting endpoints', () => {
  const issues = {
    list: endpoint({ path, input: { ...inRepo, ...paging }, schema: Issue, paginate: 'link' }),
    create: endpoint({
      method: 'POST',
      path,
      input: { ...inRepo, title: text, key: optional(text) },
      schema: Issue,
      secret: ['key'],
    }),
    lock: endpoint({
      method: 'PUT',
      path: `${path}/{number}/lock`,
      input: { ...inRepo, number: integer(1) },
      responseType: 'none',
      retry: 'idempotent',
    }),
    isLocked: endpoint({
      path: `${path}/{number}/lock`,
      input: { ...inRepo, number: integer(1) },
      responseType: 'exists',
    }),
    file: endpoint({
      path: `${path}/files{/path*}`,
      input: { ...inRepo, path: filledText },
      responseType: 'bytes',
      accept: ({ vendor }) => `application/vnd.${vendor}.raw`,
    }),
  };

  test('a custom endpoint paginates a list and validates its items', async () => {
    const all = [1, 2, 3].map((number) => ({ number, title: `Issue ${number}`, more: true }));
    emulator.hosting.route('GET /repos/:owner/:repo/issues', ({ page }) => page(all));
    const own = hosting.extend({ issues });
    const list = own.issues.list({ ...repo, per_page: 2 });
    expect(await list.toArray()).toEqual(all.map(({ number, title }) => ({ number, title })));
    expect(sent()).toEqual([200, 200]);
    const titles = own.issues.list(repo).as(z.object({ title: z.string() }));
    expect(await titles.first()).toEqual({ title: 'Issue 1' });
    const wrong = own.issues.list(repo).as(z.object({ title: z.int() }));
    await expect(wrong.first()).rejects.toMatchObject({ code: 'response_shape' });
  });

  test('a custom endpoint validates its inputs and masks secret inputs in errors', async () => {
    let body: unknown;
    emulator.hosting.route('POST /repos/:owner/:repo/issues', async ({ json, request }) => {
      body = await json();
      return request.headers.has('x-fail')
        ? { status: 422, body: { message: 'no hush-hush here' } }
        : { status: 201, body: { number: 1, title: 'It leaks' } };
    });
    const own = hosting.extend({ issues });
    const input = { ...repo, title: 'It leaks', key: 'hush-hush' };
    expect(await own.issues.create(input)).toEqual({ number: 1, title: 'It leaks' });
    expect(body).toEqual({ title: 'It leaks', key: 'hush-hush' });
    // @ts-expect-error `title` is required
    await expect(own.issues.create(repo)).rejects.toThrow(
      'issues.create: title: is required and must be a string',
    );
    await expect(own.issues.create({ ...input, owner: '..' })).rejects.toThrow('owner: ');
    expect(sent()).toEqual([201]);
    const failing = own.issues.create(input, { headers: { 'x-fail': '1' } });
    await expect(failing).rejects.toMatchObject({ code: 'unprocessable' });
    await expect(failing).rejects.not.toThrow('hush-hush');
  });

  test('a custom PUT declared idempotent is retried after a 502, but a custom POST is not', async () => {
    emulator.hosting.route('PUT /repos/:owner/:repo/issues/:number/lock', () => ({}));
    emulator.hosting.route('POST /repos/:owner/:repo/issues', () => ({ status: 201, body: {} }));
    const own = hosting.extend({ issues });
    emulator.fail({ path: '/lock' }, { kind: 'response', status: 502 });
    await own.issues.lock({ ...repo, number: 1 });
    expect(sent()).toEqual([502, 204]);
    emulator.fail({ path: '/issues' }, { kind: 'response', status: 502 });
    await expect(own.issues.create({ ...repo, title: 'x' })).rejects.toMatchObject({ status: 502 });
    expect(sent()).toEqual([502, 204, 502]);
  });

  test('a custom endpoint returns a boolean or bytes according to its responseType', async () => {
    let accept: string | null = '';
    emulator.hosting.route('GET /repos/:owner/:repo/issues/:number/lock', ({ params }) =>
      params.number === '1' ? {} : undefined,
    );
    emulator.hosting.route('GET /repos/:owner/:repo/issues/files/*path', ({ params, request }) => {
      accept = request.headers.get('accept');
      return { body: params.path };
    });
    const own = hosting.extend({ issues });
    expect(await own.issues.isLocked({ ...repo, number: 1 })).toBe(true);
    expect(await own.issues.isLocked({ ...repo, number: 2 })).toBe(false);
    expect(String(await own.issues.file({ ...repo, path: 'a b/c' }))).toBe('a b/c');
    expect(accept).toBe('application/vnd.service.raw');
  });

  test("a custom endpoint rejects a response that doesn't match its schema, and a token if it requires Basic", async () => {
    emulator.hosting.route('GET /boss', () => ({ body: { login: 'mona' } }));
    const own = hosting.extend({
      people: {
        boss: endpoint({ path: '/boss', schema: User }),
        secret: endpoint({ path: '/secret', auth: 'basic' }),
      },
    });
    await expect(own.people.boss()).rejects.toThrow(
      'people.boss: the response does not match User',
    );
    await expect(own.people.secret()).rejects.toThrow(
      'must be a username and password for this endpoint',
    );
  });

  test('extend() adds a custom endpoint to a built-in group of a new client', async () => {
    emulator.hosting.route('GET /notes', ({ user }) => ({ body: { login: user?.login } }));
    const notes = endpoint({ path: '/notes', schema: z.object({ login: z.optional(z.string()) }) });
    const once = hosting.extend({ releases: { notes } });
    const own = once.extend({ issues }).withAuth({ type: 'none' });
    expect(await own.releases.notes()).toEqual({});
    expect(await once.releases.notes()).toEqual({ login: seeded.login });
    expect((await own.releases.list(repo).toArray()).length).toBeGreaterThan(0);
    expect(Object.keys(own)).toContain('issues');
    expect(Object.keys(once)).not.toContain('issues');
    expect('notes' in hosting.releases).toBe(false);
    expect(once.rateLimit.current).toBeDefined();
  });
});

test('a custom support endpoint paginates by offset', async () => {
  emulator.support.route('GET /campaign', ({ query }) => {
    const index = Number(query.get('index') ?? 0);
    const items = [1, 2, 3].map((id) => ({ id })).slice(index, index + 2);
    return { body: { items, total: 3 } };
  });
  emulator.support.route('POST /campaign', () => ({
    body: { success: false, statusMessage: 'No room' },
  }));
  const { userName, apiKey, password } = supportSeed;
  const support = new SupportClient({
    baseUrl: 'https://code.test/api/v2/',
    auth: { userName, apiKey, password },
    dispatcher: emulator.dispatcher(),
  }).extend({
    campaigns: {
      list: endpoint({ path: '/campaign', schema: z.object({ id: z.int() }), paginate: 'offset' }),
      create: endpoint({
        method: 'POST',
        path: '/campaign',
        input: { name: text },
        encoding: 'form',
        responseType: 'none',
      }),
    },
  });
  expect(await support.campaigns.list().toArray()).toEqual([{ id: 1 }, { id: 2 }, { id: 3 }]);
  await expect(support.campaigns.create({ name: 'Spring' })).rejects.toMatchObject({
    code: 'operation_failed',
    statusMessage: 'No room',
  });
  expect(await support.me()).toMatchObject({ logged_in: true });
});

test("a custom console endpoint doesn't retry a POST after a 429", async () => {
  let authorization: string | null = '';
  emulator.console.route('POST /nodes', ({ request }) => {
    authorization = request.headers.get('authorization');
    return { status: 201, body: { id: 1 } };
  });
  const appliance = new ConsoleClient({
    baseUrl: 'https://code.test:8443',
    auth: { licenseMd5: consoleSeed.licenseMd5 },
    dispatcher: emulator.dispatcher(),
    retry: { baseDelay: 0 },
  }).extend({
    nodes: {
      add: endpoint({
        method: 'POST',
        path: '/setup/api/nodes',
        schema: z.object({ id: z.int() }),
      }),
      join: endpoint({ method: 'POST', path: '/setup/api/nodes', auth: 'none' }),
    },
  });
  emulator.fail(
    { path: '/nodes' },
    {
      kind: 'response',
      status: 429,
      headers: { 'retry-after': '0' },
    },
  );
  await expect(appliance.nodes.add()).rejects.toMatchObject({ status: 429 });
  expect(sent()).toEqual([429]);
  expect(await appliance.nodes.add()).toEqual({ id: 1 });
  expect(authorization).toMatch(/^Basic /);
  await expect(appliance.nodes.join()).rejects.toMatchObject({ status: 401 });
  expect(sent()).toEqual([429, 201, 401]);
});
