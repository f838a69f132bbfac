import { beforeEach, describe, expect, it } from 'vitest';
import { AdminStats, Download, PagesBuild, PagesSite } from '../../src/hosting/index.js';
import { adminStatsModels } from '../../src/hosting/models/admin-stats.js';
import { createEmulator, type Emulator } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { findRocket } from './rocket.js';
import { callHosting, crawl, validate } from './send-request.js';

const rocket = '/repos/acme/rocket';
let emulator: Emulator;
const { send, getStatus } = callHosting(() => emulator);

beforeEach(() => {
  emulator = createEmulator(noon);
});

it('GET /pages returns the status of the latest build, and null before the first build', async () => {
  const site = await send(`GET ${rocket}/pages`);
  expect(validate(PagesSite, site.data)).toMatchObject({ status: 'built', cname: null });
  const { items, pages } = await crawl(emulator, `${rocket}/pages/builds`);
  expect([items.length, pages]).toEqual([35, 2]);
  for (const item of items) validate(PagesBuild, item);
  const latest = await send(`GET ${rocket}/pages/builds/latest`);
  expect(latest.data).toEqual(items[0]);
  expect(await getStatus('GET /repos/mona/project-1/pages')).toBe(404);
  emulator.hosting.addPagesBuild('mona/project-1', { status: null });
  const fresh = await send('GET /repos/mona/project-1/pages');
  expect(fresh.data.status).toBeNull();
});

it('the emulator lists, returns and deletes downloads', async () => {
  const list = await send(`GET ${rocket}/downloads`);
  expect(list.data.map((each: unknown) => validate(Download, each).name)).toEqual([
    'rocket-0.3.tar.gz',
    'rocket-0.2.tar.gz',
    'rocket-0.1.tar.gz',
  ]);
  const path = `${rocket}/downloads/${list.data[0].id}`;
  expect((await send(`GET ${path}`)).data).toEqual(list.data[0]);
  expect(await getStatus(`DELETE ${path}`)).toBe(204);
  expect(await getStatus(`GET ${path}`)).toBe(404);
});

it('GET /enterprise/stats/:type returns all statistics or those of one type', async () => {
  const all = await send('GET /enterprise/stats/all');
  const stats = validate(AdminStats, all.data);
  expect(stats.users).toMatchObject({ total_users: 126, admin_users: 1 });
  expect(stats.pulls.total_pulls).toBe(250);
  expect(stats.orgs).toMatchObject({ total_orgs: 1, total_teams: 35 });
  for (const [type, model] of Object.entries(adminStatsModels)) {
    const one = await send(`GET /enterprise/stats/${type}`);
    validate<object>(model, one.data);
    expect(one.data).toEqual(all.data[type]);
  }
  expect(await getStatus('GET /enterprise/stats/none')).toBe(404);
});

it('a Pages site without builds has the status null and no latest build', async () => {
  findRocket(emulator).pages = { cname: 'x.test', custom404: true, builds: [] };
  const { data } = await send(`GET ${rocket}/pages`);
  expect(data).toMatchObject({ status: null, cname: 'x.test', custom_404: true });
  expect(await getStatus(`GET ${rocket}/pages/builds/latest`)).toBe(404);
});

describe('GET /enterprise/stats/:type', () => {
  const teams = async (type = 'orgs') => {
    const { data } = await send(`GET /enterprise/stats/${type}`);
    return (type === 'all' ? data.orgs : data).total_teams;
  };

  it('returns counts that are at most ten minutes old', async () => {
    const before = await teams();
    emulator.hosting.addTeam('acme', 'Crew');
    expect(await teams()).toBe(before);
    emulator.clock.advance(10 * 60_000 - 1000);
    expect([await teams(), await teams('all')]).toEqual([before, before]);
    emulator.clock.advance(1000);
    expect([await teams(), await teams('all')]).toEqual([before + 1, before + 1]);
  });

  it('recounts after a reset, a restore or a backward clock change', async () => {
    const before = await teams();
    const snapshot = emulator.snapshot();
    emulator.hosting.addTeam('acme', 'Crew');
    emulator.clock.set(new Date(emulator.clock.now.getTime() - 1000));
    expect(await teams()).toBe(before + 1);
    emulator.restore(snapshot);
    expect(await teams()).toBe(before);
    emulator.hosting.addTeam('acme', 'Crew');
    emulator.reset();
    emulator.hosting.addTeam('acme', 'One');
    emulator.hosting.addTeam('acme', 'Two');
    expect(await teams()).toBe(before + 2);
  });
});
