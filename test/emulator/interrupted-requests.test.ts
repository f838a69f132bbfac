import { describe, expect, it } from 'vitest';
import {
  consoleSeed,
  createEmulator,
  type Dataset,
  type Emulator,
} from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { basic, sendRequest } from './send-request.js';

/** Creates an emulator whose records have the same IDs every time. */
function scene() {
  const emulator = createEmulator({ ...noon, seed: false });
  const { hosting } = emulator;
  hosting.addUser('ada', { password: 'x' });
  hosting.addOrg('lab', ['ada']);
  const repo = hosting.addRepo('lab', 'engine');
  const release = hosting.addRelease(repo, 'v1', { draft: true });
  const application = hosting.addApplication('App', { callbackUrl: 'http://127.0.0.1/' });
  const { clientId, clientSecret } = application;
  const sha = repo.refs.get('heads/main')?.sha;
  return { emulator, repo, release: release.id, clientId, clientSecret, sha };
}

type Scene = ReturnType<typeof scene>;
const here = '/api/v3/repos/lab/engine';

/** Sends a request and calls `act` in the middle of the body. @returns Status of the response. */
async function sendAcross(
  emulator: Emulator,
  [method, path]: string[],
  body: object,
  act: () => unknown,
) {
  let stopped: (() => void) | undefined;
  const started = new Promise<void>((resolve) => {
    stopped = resolve;
  });
  const text = Buffer.from(JSON.stringify(body));
  const pieces = ReadableStream.from(
    (async function* () {
      yield text.subarray(0, 5);
      stopped?.();
      await new Promise(setImmediate);
      await act();
      yield text.subarray(5);
    })(),
  );
  // The emulator reads a JSON body before it handles the request. Uploads have a different media
  // type.
  const type = path?.includes('uploads') ? 'text/plain' : '';
  const headers = { authorization: basic('ada', 'x'), 'user-agent': 't', 'content-type': type };
  const request = new Request(`http://code.test${path}`, {
    method: method ?? '',
    headers,
    body: pieces,
    duplex: 'half',
  });
  const response = emulator.respond(request);
  await started;
  return (await response).status;
}

const writes: readonly [string, (scene: Scene) => object][] = [
  [`POST ${here}/releases`, () => ({ tag_name: 'v2' })],
  [`PATCH ${here}/releases/{release}`, () => ({ draft: false })],
  [`POST ${here}/git/refs`, ({ sha }) => ({ ref: 'refs/heads/n', sha })],
  [`PUT ${here}/contents/a`, () => ({ message: 'm', content: 'aGk=' })],
  [
    'PUT /api/v3/authorizations/clients/{clientId}',
    ({ clientSecret: client_secret }) => ({ client_secret }),
  ],
];

describe('restore() during a request', () => {
  it.each(writes)(
    "emulator.restore() during %s keeps the request's result out of the new world",
    async (what, getBody) => {
      const there = scene();
      const { emulator, repo } = there;
      emulator.hosting.addHook(repo, { url: 'http://far.test/' }, { events: ['*'] });
      const filled = what.replace(/\{(\w+)\}/, (_, name: keyof Scene) => String(there[name]));
      const world: Dataset = {
        now: '2014-06-01T12:00:00Z',
        hosting: { accounts: [{ login: 'bob' }] },
      };
      let after: Dataset | undefined;
      const act = () => {
        emulator.restore(world);
        after = emulator.snapshot();
      };
      const status = await sendAcross(emulator, filled.split(' '), getBody(there), act);
      expect(status).toBeLessThan(300);
      expect(emulator.snapshot()).toEqual(after);
      expect(emulator.hosting.deliveries).toEqual([]);
    },
  );
});

it.each([
  ['PATCH of a release', `PATCH ${here}/releases/{release}`],
  ['POST of an asset', 'POST /api/uploads/repos/lab/engine/releases/{release}/assets?name=a'],
])(
  'the emulator responds with 404 to the %s that is deleted during the request',
  async (_what, route) => {
    const { emulator, release } = scene();
    const remove = async () => {
      const path = `DELETE /repos/lab/engine/releases/${release}`;
      const { status } = await sendRequest(emulator, path, { auth: basic('ada', 'x') });
      expect(status).toBe(204);
    };
    const [method = '', path = ''] = route.replace('{release}', `${release}`).split(' ');
    expect(await sendAcross(emulator, [method, path], { draft: false }, remove)).toBe(404);
    expect(emulator.hosting.state.repo('lab', 'engine')?.releases).toEqual([]);
    expect(emulator.hosting.deliveries).toEqual([]);
  },
);

describe('reset() during a console upload', () => {
  it('emulator.reset() during a console upload keeps the upload out of the new world', async () => {
    const emulator = createEmulator(noon);
    const before = emulator.snapshot();
    const body = ReadableStream.from(
      (async function* () {
        yield Buffer.from('package=');
        await new Promise(setImmediate);
        emulator.reset();
        yield Buffer.from('p');
      })(),
    );
    const url = `http://code.test/setup/api/upgrade?license_md5=${consoleSeed.licenseMd5}`;
    const response = await emulator.respond(
      new Request(url, { method: 'POST', body, duplex: 'half' }),
    );
    expect(response.status).toBe(202);
    expect(emulator.console.uploads).toEqual([]);
    expect(emulator.snapshot()).toEqual(before);
  });
});
