import { beforeEach, describe, expect, test } from 'vitest';
import { createEmulator, type Emulator, type EmulatorOptions } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { other } from './other-apis.js';
import { mona, sendRequest } from './send-request.js';

// Tests the options for servers that deviate from the API contract.

let emulator: Emulator;

beforeEach(() => {
  emulator = createEmulator(noon);
});

const tokenWith = (of: Emulator, ...scopes: string[]) =>
  `token ${of.hosting.addToken('mona', scopes).token}`;

describe('console options', () => {
  const status = async (options: EmulatorOptions = {}) =>
    (await other(createEmulator(options), 'GET /setup/api/maintenance')).data;
  const settings = async (options: EmulatorOptions = {}) =>
    (await other(createEmulator(options), 'GET /setup/api/settings')).data.enterprise;
  const setMaintenance = (when: unknown, of = emulator) =>
    other(of, 'POST /setup/api/maintenance', {
      maintenance: JSON.stringify({ enabled: true, when }),
    });

  test("the console API sends connection counts as strings if consoleNumbers is 'string'", async () => {
    expect((await status()).connection_services[0].number).toBe(0);
    const text = await status({ consoleNumbers: 'string' });
    expect(text.connection_services[0].number).toBe('0');
  });

  test("the console API omits scheduled_time without scheduled maintenance if consoleScheduledTime is 'scheduled'", async () => {
    expect(await status()).toMatchObject({ status: 'off', scheduled_time: '' });
    expect(await status({ consoleScheduledTime: 'scheduled' })).not.toHaveProperty(
      'scheduled_time',
    );
    const timed = createEmulator({ ...noon, consoleScheduledTime: 'scheduled' });
    expect((await setMaintenance('2014-06-02', timed)).data).toHaveProperty('scheduled_time');
    const { data } = await setMaintenance('now');
    expect(data).toMatchObject({ status: 'on', scheduled_time: 'Sunday, June  1 at 12:00 +0000' });
  });

  test('the console API turns scheduled maintenance on at the scheduled time', async () => {
    await setMaintenance('2014-06-01T14:00:00Z');
    expect(emulator.console.maintenance).toBe('scheduled');
    emulator.clock.advance(2 * 3_600_000);
    expect(emulator.console.maintenance).toBe('on');
  });

  test("the console API sends unconfigured settings groups as null if consoleGroups is 'null'", async () => {
    const groups = await settings();
    expect(groups.ldap).toMatchObject({ host: '', base: [], user_groups: [] });
    expect(groups.service_oauth).toMatchObject({ client_id: '' });
    const names = Object.keys(groups).filter((name) => groups[name] === null);
    expect(names).toEqual(['admin_password']);
    const bare = await settings({ consoleGroups: 'null' });
    expect([bare.ldap, bare.service_oauth]).toEqual([null, null]);
  });

  test('createEmulator() rejects an unknown value of consoleNumbers', () => {
    const wrong = { consoleNumbers: 'text' } as unknown as EmulatorOptions; // `as`: the type doesn't allow this value.
    expect(() => createEmulator(wrong)).toThrow(
      'consoleNumbers: must be integer or string (got text)',
    );
  });
});

describe('the scopes option', () => {
  const recorded = () => createEmulator({ ...noon, scopes: 'recorded' });
  const listTeams = async (of: Emulator, ...scopes: string[]) =>
    (await sendRequest(of, 'GET /orgs/acme/teams', { auth: tokenWith(of, ...scopes) })).status;
  const makeTeam = async (of: Emulator, ...scopes: string[]) =>
    (
      await sendRequest(of, 'POST /orgs/acme/teams', {
        auth: tokenWith(of, ...scopes),
        body: { name: 'New' },
      })
    ).status;

  test("the emulator requires an org scope for teams unless `scopes` is 'recorded'", async () => {
    for (const scope of ['read:org', 'write:org', 'admin:org']) {
      expect([scope, await listTeams(emulator, scope)]).toEqual([scope, 200]);
    }
    expect(await listTeams(emulator, 'repo', 'user')).toBe(404);
    expect(await makeTeam(emulator, 'read:org', 'repo', 'user')).toBe(404);
    expect(await makeTeam(emulator, 'write:org')).toBe(201);
    expect(await makeTeam(createEmulator(noon), 'admin:org')).toBe(201);
    expect([await listTeams(recorded(), 'user'), await makeTeam(recorded(), 'repo')]).toEqual([
      200, 201,
    ]);
    expect(await listTeams(recorded(), 'repo')).toBe(200);
  });

  test("the emulator requires a repo_hook scope for hooks unless `scopes` is 'recorded'", async () => {
    const may = async (of: Emulator, ...scopes: string[]) => {
      const auth = tokenWith(of, ...scopes);
      const { id } = of.hosting.addHook('acme/rocket', { url: 'http://127.0.0.1:9/' });
      const at = `/repos/acme/rocket/hooks/${id}`;
      const requests = [`GET ${at}`, `POST ${at}/pings`, `PATCH ${at}`, `DELETE ${at}`];
      const statuses: number[] = [];
      for (const what of requests) statuses.push((await sendRequest(of, what, { auth })).status);
      return statuses;
    };
    expect(await may(emulator, 'read:repo_hook')).toEqual([200, 204, 404, 404]);
    expect(await may(emulator, 'write:repo_hook')).toEqual([200, 204, 200, 404]);
    expect(await may(emulator, 'admin:repo_hook')).toEqual([200, 204, 200, 204]);
    expect(await may(emulator, 'repo', 'public_repo')).toEqual([404, 404, 404, 404]);
    expect(await may(recorded(), 'public_repo')).toEqual([200, 204, 200, 204]);
    const { headers } = await sendRequest(recorded(), 'GET /hooks');
    expect(headers['x-accepted-oauth-scopes']).toMatch(/, public_repo, read:repo_hook, repo, /);
  });
});

describe('singlePageLinks', () => {
  test("the emulator omits the Link header of a single-page list if singlePageLinks is 'none'", async () => {
    const none = createEmulator({ ...noon, singlePageLinks: 'none' });
    for (const { hosting } of [emulator, none]) {
      hosting.addHook('acme/rocket', { url: 'http://far.test/' });
    }
    for (const [path, auth] of [
      ['/authorizations', mona],
      ['/repos/acme/rocket/hooks', undefined],
      ['/repos/mona/project-1/stargazers', undefined],
    ] as const) {
      const { headers } = await sendRequest(emulator, `GET ${path}`, { auth });
      expect(headers.link).toMatch(/page=1>; rel="first", <[^>]*page=1>; rel="last"$/);
      expect((await sendRequest(none, `GET ${path}`, { auth })).headers.link).toBeUndefined();
    }
    expect(
      (await sendRequest(emulator, 'GET /repos/acme/rocket/downloads')).headers.link,
    ).toBeUndefined();
  });
});

test.each([
  ['consoleNumbers', 'integer', 'string'],
  ['consoleGroups', 'object', 'null'],
  ['consoleScheduledTime', 'always', 'scheduled'],
  ['scopes', 'contract', 'recorded'],
  ['singlePageLinks', 'contract', 'none'],
])('the %s option accepts only %s and %s', (name, ...known) => {
  for (const value of known) createEmulator({ [name]: value });
  const options: EmulatorOptions = { [name]: 'other' };
  expect(() => createEmulator(options)).toThrow(RangeError);
  expect(() => createEmulator(options)).toThrow(
    `${name}: must be ${known.join(' or ')} (got other)`,
  );
});
