import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createEmulator, type Emulator } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { basic, sendRequest } from './send-request.js';

// Behaves as if `repository.ts` contained `milestones: children(milestoneKind)`.
vi.mock(import('../../src/testing/hosting/records/repository.js'), async (original) => {
  const { repositoryKind, ...others } = await original();
  const { children, record } = await import('../../src/testing/record.js');
  const { milestoneKind } = await import('./milestone.js');
  const fields = { ...repositoryKind.fields, milestones: children(milestoneKind) };
  return { ...others, repositoryKind: record(fields) };
});

const base = '/repos/lab/engine/milestones';
const auth = basic('ada', 'x');
let emulator: Emulator;

beforeEach(() => {
  emulator = createEmulator({ ...noon, seed: false });
  emulator.hosting.addUser('ada', { password: 'x' });
  emulator.hosting.addUser('bob', { password: 'x' });
  emulator.hosting.addOrg('lab', ['ada']);
  emulator.hosting.addRepo('lab', 'engine');
});

async function create(title: string) {
  return await sendRequest(emulator, `POST ${base}`, { auth, body: { title } });
}

describe('served()', () => {
  it('served() creates, reads, lists, updates and deletes records', async () => {
    const { status, data, headers } = await create('First');
    expect([status, headers.location]).toEqual([201, expect.stringMatching(`${base}/1$`)]);
    expect(data).toMatchObject({ title: 'First', state: 'open', creator: { login: 'ada' } });
    await create('Second');
    emulator.clock.advance(60_000);
    const changes = { state: 'closed', due_on: '2014-07-01T00:00:00Z' };
    const changed = await sendRequest(emulator, `PATCH ${base}/1`, { auth, body: changes });
    expect(changed).toMatchObject({
      status: 200,
      data: { ...changes, title: 'First', updated_at: '2014-06-01T12:01:00Z' },
    });
    expect((await sendRequest(emulator, `GET ${base}/1`, { auth })).data).toEqual(changed.data);
    expect((await sendRequest(emulator, `GET ${base}`, { auth })).data).toMatchObject([
      { number: 1 },
      { number: 2 },
    ]);
    expect((await sendRequest(emulator, `DELETE ${base}/1`, { auth })).status).toBe(204);
    expect((await sendRequest(emulator, `GET ${base}/1`, { auth })).status).toBe(404);
  });

  it.each([
    [{}, 'title', 'missing_field'],
    [{ title: '' }, 'title', 'missing_field'],
    [{ title: null }, 'title', 'missing_field'],
    [{ title: 5 }, 'title', 'invalid'],
    [{ title: 'T', state: 'gone' }, 'state', 'invalid'],
    [{ title: 'T', due_on: 'soon' }, 'due_on', 'invalid'],
  ])('served() rejects a POST with the invalid body %j', async (body, field, code) => {
    const before = emulator.export();
    expect(await sendRequest(emulator, `POST ${base}`, { auth, body })).toMatchObject({
      status: 422,
      data: { errors: [{ resource: 'Milestone', field, code }] },
    });
    expect(emulator.export()).toEqual(before);
    expect((await sendRequest(emulator, `GET ${base}`, { auth })).data).toEqual([]);
  });

  it('served() rejects a PATCH with an invalid field', async () => {
    await create('First');
    const before = emulator.export();
    const body = { title: 'Other', due_on: 'soon' };
    expect((await sendRequest(emulator, `PATCH ${base}/1`, { auth, body })).status).toBe(422);
    expect(emulator.export()).toEqual(before);
  });

  it('served() requires write access to create a record', async () => {
    const body = { title: 'T' };
    expect((await sendRequest(emulator, `POST ${base}`, { auth: null, body })).status).toBe(401);
    const other = { auth: basic('bob', 'x'), body };
    expect((await sendRequest(emulator, `POST ${base}`, other)).status).toBe(404);
  });

  it('served records appear in exports and are validated in seeds', async () => {
    await create('First');
    const world = emulator.export();
    expect(world.hosting?.repositories?.[0]).toMatchObject({ milestones: [{ title: 'First' }] });
    expect(createEmulator({ seed: world }).export()).toEqual(world);
    const seed = (milestones: object[]) => {
      const [repository] = world.hosting?.repositories ?? [];
      const repositories = [{ owner: 'lab', name: 'engine', ...repository, milestones }];
      return { ...world, hosting: { ...world.hosting, repositories } };
    };
    expect(() => createEmulator({ seed: seed([{ number: 1 }]) })).toThrow(
      'hosting.repositories[0].milestones[0].title: ',
    );
    const taken = [{ title: 'a' }, { title: 'b', number: 1 }];
    expect(() => createEmulator({ seed: seed(taken) })).toThrow(
      'hosting.repositories[0].milestones[1].number: must be unique (got 1 twice)',
    );
  });
});
