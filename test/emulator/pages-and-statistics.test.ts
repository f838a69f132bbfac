import { beforeEach, describe, expect, it } from 'vitest';
import { createEmulator, type Emulator } from '../../src/testing/index.js';
import { noon } from '../support/noon.js';
import { findRocket } from './hosting-worlds.js';
import { callHosting } from './send-request.js';

const rocket = '/repos/acme/rocket';
let emulator: Emulator;
const { send, getStatus } = callHosting(() => emulator);

beforeEach(() => {
  emulator = createEmulator(noon);
});

it('a Pages site without builds has the status null and no latest build', async () => {
  findRocket(emulator).pages = { cname: 'x.test', custom404: true, builds: [] };
  const { data } = await send(`GET ${rocket}/pages`);
  expect(data).toMatchObject({ status: null, cname: 'x.test', custom_404: true });
  expect(await getStatus(`GET ${rocket}/pages/builds/latest`)).toBe(404);
  expect(await getStatus('GET /repos/mona/project-1/pages')).toBe(404);
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
