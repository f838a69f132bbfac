import { describe, expect, it } from 'vitest';
import { consoleSeed, createEmulator, type Emulator } from '../../src/testing/index.js';
import { basic, sendRequest } from './send-request.js';
import { getToken, raw } from './support-emulator.js';

/** Creates an organization with one record of each kind that can be updated. */
function scene() {
  const emulator = createEmulator({ seed: false });
  const { hosting } = emulator;
  hosting.addUser('ada', { password: 'x' });
  hosting.addOrg('lab', ['ada']);
  const repo = hosting.addRepo('lab', 'engine', { files: { file: 'x' } });
  const release = hosting.addRelease(repo, 'v1', { name: 'One' });
  const records = {
    release: release.id,
    asset: hosting.addAsset(release, 'a.zip', { label: 'A' }).id,
    pull: hosting.addPull(repo, { title: 'One', body: 'Text' }).number,
    merged: hosting.addPull(repo, { state: 'closed', mergedAt: '2014-01-01T00:00:00Z' }).number,
    hook: hosting.addHook(repo, { url: 'http://far.test/' }).id,
    comment: hosting.addComment(repo, 'Hm').id,
    team: hosting.addTeam('lab', 'Crew').id,
    token: hosting.addToken('ada', ['gist'], { note: 'n' }).id,
  };
  return { emulator, records };
}

const here = '/repos/lab/engine';
type Records = ReturnType<typeof scene>['records'];

describe('rejected PATCH requests', () => {
  it.each<[string, object, (records: Records) => string]>([
    ['release', { tag_name: 'v2', draft: 'yes' }, ({ release }) => `${here}/releases/${release}`],
    ['release', { name: 'N', prerelease: 1 }, ({ release }) => `${here}/releases/${release}`],
    ['release', { name: 'N', tag_name: '' }, ({ release }) => `${here}/releases/${release}`],
    [
      'release',
      { tag_name: 'v2', target_commitish: 'nowhere' },
      ({ release }) => `${here}/releases/${release}`,
    ],
    ['asset', { name: 'b.zip', label: 7 }, ({ asset }) => `${here}/releases/assets/${asset}`],
    ['pull request', { title: 'Two', body: 7 }, ({ pull }) => `${here}/pulls/${pull}`],
    ['pull request', { title: '', state: 'closed' }, ({ pull }) => `${here}/pulls/${pull}`],
    [
      'merged pull request',
      { title: 'T', state: 'open' },
      ({ merged }) => `${here}/pulls/${merged}`,
    ],
    ['hook', { active: false, events: ['none'] }, ({ hook }) => `${here}/hooks/${hook}`],
    ['comment', { body: '' }, ({ comment }) => `${here}/comments/${comment}`],
    ['team', { name: 'New', permission: 'all' }, ({ team }) => `/teams/${team}`],
    ['authorization', { scopes: ['repo'], note: 7 }, ({ token }) => `/authorizations/${token}`],
    ['authorization', { note: 'm', note_url: 7 }, ({ token }) => `/authorizations/${token}`],
    ['reference', { sha: 'a'.repeat(40), force: true }, () => `${here}/git/refs/heads/main`],
  ])('a PATCH leaves the %s unchanged if it rejects %j', async (_what, body, getPath) => {
    const { emulator, records } = scene();
    const before = emulator.snapshot();
    const path = getPath(records);
    const { status } = await sendRequest(emulator, `PATCH ${path}`, {
      auth: basic('ada', 'x'),
      body,
    });
    expect(status).toBe(422);
    expect(emulator.snapshot()).toEqual(before);
    expect(emulator.hosting.deliveries).toEqual([]);
  });
});

describe('concurrent equal requests', () => {
  const uploads = (release: number) =>
    `http://code.test/api/uploads/repos/lab/engine/releases/${release}/assets?name=b.zip`;

  it.each<[string, (emulator: Emulator, records: Records) => Promise<{ readonly status: number }>]>(
    [
      [
        'creates a release',
        (emulator) => {
          const body = { tag_name: 'v2' };
          return sendRequest(emulator, `POST ${here}/releases`, { auth: basic('ada', 'x'), body });
        },
      ],
      [
        'stores an asset',
        (emulator, { release }) => {
          const headers = { authorization: basic('ada', 'x'), 'user-agent': 'test' };
          const body = new Blob(['zip'], { type: 'application/zip' });
          return emulator.respond(new Request(uploads(release), { method: 'POST', headers, body }));
        },
      ],
      [
        'creates a team',
        (emulator) =>
          sendRequest(emulator, 'POST /orgs/lab/teams', {
            auth: basic('ada', 'x'),
            body: { name: 'New' },
          }),
      ],
      [
        'creates a file',
        (emulator) => {
          const body = { message: 'm', content: 'aGk=' };
          return sendRequest(emulator, `PUT ${here}/contents/new`, {
            auth: basic('ada', 'x'),
            body,
          });
        },
      ],
    ],
  )('one of three concurrent equal requests %s, and the others get a 422', async (_what, send) => {
    const { emulator, records } = scene();
    const all = await Promise.all([1, 2, 3].map(() => send(emulator, records)));
    expect(all.map(({ status }) => status).sort()).toEqual([201, 422, 422]);
  });
});

describe('rejected changes', () => {
  it('POST /setup/api/start leaves the appliance unchanged if the license is too large', async () => {
    const emulator = createEmulator();
    const form = new FormData();
    form.append('license', new Blob([new Uint8Array(1_048_577)]), 'license.ghl');
    form.append('package', new Blob(['p']), 'package.ghp');
    form.append('settings', JSON.stringify({ enterprise: { private_mode: true } }));
    const before = emulator.snapshot();
    const response = await emulator.respond(
      new Request('http://code.test/setup/api/start', { method: 'POST', body: form }),
    );
    expect(response.status).toBe(400);
    expect(emulator.snapshot()).toEqual(before);
    expect(emulator.console.licenseMd5).toBe(consoleSeed.licenseMd5);
  });

  it('POST /contact/:id leaves the contact unchanged if an attribute name is reserved', async () => {
    const emulator = createEmulator();
    const token = await getToken(emulator);
    const before = emulator.snapshot();
    const fields = { access_token: token, name: 'New', first_name: 'N', cases: '7' };
    expect((await raw(emulator, 'POST /contact/1', fields)).data).toMatchObject({ success: false });
    expect(emulator.snapshot()).toEqual(before);
  });

  it.each<[string, (emulator: Emulator) => unknown]>([
    [
      'touchContact',
      ({ support }) => support.touchContact(1, { name: 'New', attributes: { tags: 'x' } }),
    ],
    [
      'touchCase',
      ({ support }) => support.touchCase(1, { subject: 'New', attributes: { id: '7' } }),
    ],
    ['addCase', ({ support }) => support.addCase({ contact_id: 1, attributes: { state: 'x' } })],
    ['addContact', ({ support }) => support.addContact({ attributes: { profiles: 'x' } })],
  ])('support.%s() leaves the support data unchanged if it throws', (_what, act) => {
    const emulator = createEmulator();
    const before = emulator.snapshot();
    const cases = emulator.support.contacts[0]?.cases;
    expect(() => act(emulator)).toThrow(RangeError);
    expect(emulator.snapshot()).toEqual(before);
    expect(emulator.support.contacts[0]?.cases).toBe(cases);
  });
});
