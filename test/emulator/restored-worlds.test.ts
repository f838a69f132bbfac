import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { createEmulator, type Dataset, type Emulator } from '../../src/testing/index.js';
import { worldText } from '../../src/testing/world/file.js';
import { checkWorld } from '../../src/testing/world/schema.js';
import { noon } from '../support/noon.js';
import { basic, sendRequest } from './send-request.js';

const here = '/repos/lab/engine';
const auth = basic('ada', 'x');

function scene() {
  const emulator = createEmulator({ ...noon, seed: false });
  const { hosting } = emulator;
  for (const login of ['ada', '10', '2']) hosting.addUser(login, { password: 'x' });
  hosting.addOrg('lab', ['ada']);
  const repo = hosting.addRepo('lab', 'engine', { files: { c: 'x', 'b/2': 'y' } });
  return { emulator, hosting, repo };
}

/** Returns a new emulator with a copy of the world, parsed from JSON. */
function copyEmulator(emulator: Emulator): Emulator {
  const text = JSON.stringify(emulator.snapshot());
  const copy = createEmulator({ seed: JSON.parse(text) });
  expect(JSON.stringify(copy.snapshot())).toBe(text);
  return copy;
}

async function expectSame(emulator: Emulator, path: string) {
  const [before, after] = [
    await sendRequest(emulator, `GET ${path}`, { auth }),
    await sendRequest(copyEmulator(emulator), `GET ${path}`, { auth }),
  ];
  expect([after.status, after.data]).toEqual([200, before.data]);
  return before.data;
}

const now = '2020-02-29T12:00:00Z';
const ada = { login: 'ada' };
const notes = { owner: 'ada', name: 'notes' };
const hosting = (more: object) => ({ now, hosting: { accounts: [ada], ...more } });
const inRepo = (more: object) => hosting({ repositories: [{ ...notes, ...more }] });

// `as`: the type doesn't allow these worlds.
const createWorld = (data: object) => data as Dataset;

describe('createEmulator() with a snapshot', () => {
  it('a restored snapshot keeps the order of stargazers whose logins are numbers', async () => {
    const { emulator, hosting } = scene();
    for (const login of ['ada', '10', '2']) hosting.addStar('lab/engine', login);
    const users = await expectSame(emulator, `${here}/stargazers`);
    expect(users.map(({ login }: { login: string }) => login)).toEqual(['ada', '10', '2']);
  });

  it('a restored snapshot lists files alphabetically even if their names are numbers', async () => {
    const { emulator, hosting } = scene();
    for (const path of ['10', '9', 'a', 'b/10', 'b/1']) hosting.addFile('lab/engine', path, path);
    const names = async (path: string) => {
      const entries = await expectSame(emulator, `${here}/contents/${path}`);
      return entries.map(({ name }: { name: string }) => name);
    };
    expect(await names('')).toEqual(['10', '9', 'a', 'b', 'c']);
    expect(await names('b')).toEqual(['1', '10', '2']);
  });

  it.each([
    '\n\na',
    '\n a',
    'a b '.repeat(40),
    ' \n\n\n',
    '  \n\nb',
    '- a\n b',
    ' \ta\n',
    '\u2028',
    '<<',
    '__proto__',
  ])('a YAML export preserves the text %j', async (text) => {
    const { emulator } = scene();
    let nested: unknown = text;
    for (let level = 0; level < 25; level++) nested = [{ [text]: nested }];
    const settings = { enterprise: { nested } };
    emulator.restore({ ...emulator.snapshot(), console: { settings } });
    const world = JSON.stringify(emulator.snapshot());
    const data: unknown = parse(await worldText('world.yaml', emulator.snapshot()));
    emulator.restore(checkWorld(data, 'world'));
    expect(JSON.stringify(emulator.snapshot())).toBe(world);
  });

  it.each(['text/plain; x=é', 'a\tb'])(
    'createEmulator() accepts a snapshot taken after a rejected asset with Content-Type %j',
    async (type) => {
      const { emulator, hosting, repo } = scene();
      const { id } = hosting.addRelease(repo, 'v1');
      const url = `http://code.test/api/uploads${here}/releases/${id}/assets?name=a`;
      const headers = { authorization: auth, 'user-agent': 'test', 'content-type': type };
      const upload = new Request(url, { method: 'POST', headers, body: 'x' });
      const response = await emulator.respond(upload);
      expect([response.status, await response.text()]).toEqual([
        422,
        expect.stringContaining('"field":"content_type","code":"invalid"'),
      ]);
      copyEmulator(emulator);
    },
  );

  it('createEmulator() accepts a snapshot taken after rejected comments with large line numbers', async () => {
    const { emulator, repo } = scene();
    const { sha } = repo.refs.get('heads/main') ?? {};
    for (const [line, status] of [
      [2 ** 52, 201],
      [2 ** 52 + 1, 422],
      [Number.MAX_SAFE_INTEGER, 422],
    ] as const) {
      const body = { body: 'b', line, position: line };
      const created = await sendRequest(emulator, `POST ${here}/commits/${sha}/comments`, {
        auth,
        body,
      });
      expect(created.status).toBe(status);
    }
    copyEmulator(emulator);
  });
});

describe('deletion during a request', () => {
  it.each<[string, string, () => { path: string; remove: string; emulator: Emulator }]>([
    [
      'PATCH',
      'a release',
      () => {
        const { emulator, hosting, repo } = scene();
        const { id } = hosting.addRelease(repo, 'v1', { draft: true });
        hosting.addHook(repo, { url: 'http://far.test/' }, { events: ['*'] });
        const path = `/api/v3${here}/releases/${id}`;
        return { emulator, path, remove: path };
      },
    ],
    [
      'PATCH',
      'an asset',
      () => {
        const { emulator, hosting, repo } = scene();
        const { id } = hosting.addAsset(hosting.addRelease(repo, 'v1'), 'a');
        const path = `/api/v3${here}/releases/assets/${id}`;
        return { emulator, path, remove: path };
      },
    ],
    [
      'PATCH',
      'a team',
      () => {
        const { emulator, hosting } = scene();
        const path = `/api/v3/teams/${hosting.addTeam('lab', 'Crew').id}`;
        return { emulator, path, remove: path };
      },
    ],
    [
      'POST',
      'an upload',
      () => {
        const { emulator, hosting, repo } = scene();
        const path = `${here}/releases/${hosting.addRelease(repo, 'v1').id}`;
        return {
          emulator,
          path: `/api/uploads${path}/assets?name=a`,
          remove: `/api/v3${path}`,
        };
      },
    ],
  ])(
    'the emulator responds with 404 to the %s of %s that is deleted during the request',
    async (method, _what, prepare) => {
      const { emulator, path, remove } = prepare();
      const headers = {
        authorization: auth,
        'user-agent': 'test',
        // The emulator reads JSON bodies before it finds the record. Uploads have a different media
        // type.
        ...(method === 'POST' && { 'content-type': 'application/zip' }),
      };
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const init = { method, headers, body: readable, duplex: 'half' as const };
      const response = emulator.respond(new Request(`http://code.test${path}`, init));
      const writer = writable.getWriter();
      await writer.write(Buffer.from('{"draft":false,'));
      const gone = await sendRequest(emulator, `DELETE ${remove}`, { auth });
      expect(gone.status).toBe(204);
      const before = emulator.snapshot();
      await writer.write(Buffer.from('"name":"N"}'));
      await writer.close();
      expect((await response).status).toBe(404);
      expect(emulator.snapshot()).toEqual(before);
      expect(emulator.hosting.deliveries).toEqual([]);
    },
  );
});

describe('emulator.restore()', () => {
  it('the emulator numbers pull requests above the numbers in its seed', () => {
    const emulator = createEmulator({ seed: createWorld(inRepo({ pulls: [{ number: 2 }, {}] })) });
    const { pulls } = emulator.hosting.state.repo('ada', 'notes') ?? {};
    expect(pulls?.map(({ number }) => number)).toEqual([2, 3]);
  });

  it('updates lastId after assigning an ID', () => {
    const emulator = createEmulator();
    const { hosting: data, ...rest } = emulator.snapshot();
    const [first, ...others] = data?.repositories ?? [];
    const changed = { ...first, comments: [...(first?.comments ?? []), { body: 'b' }] };
    emulator.restore(
      createWorld({ ...rest, hosting: { ...data, repositories: [changed, ...others] } }),
    );
    const repo = emulator.hosting.state.repo(first?.owner ?? '', first?.name ?? '');
    const id = repo?.comments.at(-1)?.id ?? 0;
    expect(emulator.hosting.state.lastId).toBeGreaterThanOrEqual(id);
  });

  it("assigns an ID to every record in a repository's collections", () => {
    const world = inRepo({
      pulls: [{}],
      releases: [{ tagName: 'v1', assets: [{ name: 'a' }] }],
      comments: [{ body: 'b' }],
      hooks: [{ config: {} }],
      downloads: [{ name: 'd' }],
      pages: { builds: [{}] },
    });
    const emulator = createEmulator({ seed: false });
    emulator.restore(createWorld(world));
    const repo = emulator.hosting.state.repo('ada', 'notes');
    const records = [
      ...(repo?.pulls ?? []),
      ...(repo?.releases ?? []),
      ...(repo?.releases[0]?.assets ?? []),
      ...(repo?.comments ?? []),
      ...(repo?.hooks ?? []),
      ...(repo?.downloads ?? []),
      ...(repo?.pages?.builds ?? []),
    ];
    expect(records).toHaveLength(7);
    expect(new Set(records.map(({ id }) => id)).size).toBe(7);
    for (const { id } of records) expect(id).toEqual(expect.any(Number));
  });
});

describe('checkWorld()', () => {
  it('keeps files and attributes named __proto__', () => {
    const emulator = createEmulator({ ...noon, seed: false });
    const { hosting, support } = emulator;
    hosting.addUser('ada');
    hosting.addRepo('ada', 'notes', { files: JSON.parse('{ "__proto__": "text", "b": "c" }') });
    support.addContact({ attributes: JSON.parse('{ "__proto__": "value" }') });
    const before = JSON.stringify(emulator.snapshot());
    expect(before.match(/__proto__/g)).toHaveLength(2);
    emulator.restore(checkWorld(JSON.parse(before), 'world'));
    expect(JSON.stringify(emulator.snapshot())).toBe(before);
  });
});
