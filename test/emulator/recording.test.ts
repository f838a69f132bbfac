import { expect, test } from 'vitest';
import { HostingClient, SupportClient } from '../../src/index.js';
import {
  createEmulator,
  createRecorder,
  replay,
  seeded,
  supportSeed,
} from '../../src/testing/index.js';
import { readBytes, readLines, recordingFolder } from './recording-folder.js';

const baseUrl = 'http://code.example.test/api/v3/';
const { owner, repo, token, login, password } = seeded;
const auth = { type: 'token', token } as const;

/** Creates a recorder that sends its requests to an in-process emulator. */
async function recording(secrets?: readonly string[]) {
  const emulator = createEmulator();
  const to = await recordingFolder();
  const recorder = createRecorder({ to, dispatcher: emulator.dispatcher(), secrets });
  return { emulator, to, recorder };
}

test('a replay gives a client the same results as the recorded server', async () => {
  const { to, recorder } = await recording();
  async function results(dispatcher: typeof recorder | ReturnType<typeof replay>) {
    const hosting = new HostingClient({ baseUrl, auth, dispatcher });
    const file = { owner, repo, path: 'a.md', message: 'Add', content: Buffer.from('hello') };
    return {
      pulls: await hosting.pulls.list({ owner, repo, state: 'all', per_page: 80 }).toArray(),
      starred: await hosting.starring.isStarred({ owner, repo }),
      created: await hosting.contents.create(file),
      missing: await hosting.pulls
        .get({ owner, repo, number: 999 })
        .catch((error) => error.message),
    };
  }
  const first = await results(recorder);
  expect(first.pulls).toHaveLength(250);
  const recorded = replay(to);
  expect(await results(recorded)).toEqual(first);
  expect(recorded.missed).toEqual([]);
  expect(recorded.unused).toEqual([]);
  const [page] = await readLines(to);
  expect(page?.request).toMatchObject({ method: 'GET', url: expect.stringContaining(baseUrl) });
  expect(page?.response.file, 'a page of 80 is large').toMatch(/^bodies\/\d+\.json$/);
});

test('a recording contains no secrets', async () => {
  const { to, recorder, emulator } = await recording(['a word of my own']);
  const basic = { type: 'basic', username: login, password } as const;
  const hosting = new HostingClient({ baseUrl, auth: basic, dispatcher: recorder });
  const created = await hosting.authorizations.create({
    note: 'a word of my own',
    scopes: ['repo'],
  });
  await hosting
    .withAuth({ type: 'token', token: created.token ?? '' })
    .pulls.get({ owner, repo, number: 1 });
  await hosting.hooks.create({
    owner,
    repo,
    name: 'web',
    config: { url: 'http://127.0.0.1:1/', secret: 'hook secret' },
  });
  const support = new SupportClient({
    baseUrl: 'http://support.example.test/api/v2/',
    auth: supportSeed,
    dispatcher: recorder,
  });
  await support.contacts.get({ contact_id: 1 });
  const sent = emulator.requests.at(-1)?.sent.target ?? '';
  const session = new URLSearchParams(sent.split('?')[1]).get('access_token') ?? 'none';
  expect(session).toMatch(/^[0-9a-f]{40}$/);
  const all = await readBytes(to);
  const secrets = {
    password,
    encoded: encodeURIComponent(password),
    basic: Buffer.from(`${login}:${password}`).toString('base64'),
    token: created.token ?? '',
    hook: 'hook secret',
    own: 'a word of my own',
    session,
    apiKey: supportSeed.apiKey,
  };
  for (const [name, secret] of Object.entries(secrets)) expect(all, name).not.toContain(secret);
  const replayed = new SupportClient({
    baseUrl: 'http://support.example.test/api/v2/',
    auth: { userName: supportSeed.userName, apiKey: 'another key', password: 'another' },
    dispatcher: replay(to),
  });
  expect(
    (await replayed.contacts.get({ contact_id: 1 })).id,
    "the replay doesn't compare secrets",
  ).toBe(1);
});

test.each([
  [undefined, 'createRecorder: expected an object (got undefined)'],
  [{}, 'createRecorder: to: must be the path of a folder (got undefined)'],
  [{ to: '' }, 'createRecorder: to: must be the path of a folder (got an empty string)'],
])('createRecorder() throws if its options are %j', (options, message) => {
  expect(() => Reflect.apply(createRecorder, undefined, [options])).toThrow(message);
});

test('replay() and createRecorder() reject unknown options', async () => {
  const to = await recordingFolder();
  createRecorder({ to });
  const loosely = (options: object) => options;
  expect(() => replay(to, loosely({ lenient: true }))).toThrow("unknown option 'lenient'");
  expect(() => createRecorder({ ...loosely({ form: 1 }), to })).toThrow("unknown option 'form'");
});
