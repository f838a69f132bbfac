import { beforeEach, describe, expect, it } from 'vitest';
import { Repository } from '../../src/hosting/index.js';
import { HostingClient } from '../../src/index.js';
import { createEmulator, type Emulator, seeded } from '../../src/testing/index.js';

const { owner, repo, token } = seeded;
const limit = { kind: 'secondaryLimit', requests: 8, per: 100, pause: 2000 } as const;

let emulator: Emulator;
let hosting: HostingClient;
beforeEach(() => {
  emulator = createEmulator();
  hosting = new HostingClient({
    baseUrl: 'https://code.test/api/v3/',
    auth: { type: 'token', token },
    dispatcher: emulator.dispatcher(),
  });
});

const get = (retry?: false) => hosting.pulls.get({ owner, repo, number: 1 }, { retry });
const star = (retry?: false) => hosting.starring.star({ owner, repo }, { retry });
const rejected = { code: 'rate_limit', reason: 'secondary', retryAfter: 2000 };

describe('secondaryLimit fault', () => {
  it('a `secondaryLimit` fault rejects requests beyond the limit', async () => {
    emulator.fail({}, { ...limit, requests: 2, per: 60_000 });
    await get(false);
    await get(false);
    await expect(get(false)).rejects.toMatchObject(rejected);
  });

  it('a `secondaryLimit` fault counts only writes if `writes` is true', async () => {
    emulator.fail({}, { ...limit, requests: 1, per: 60_000, writes: true });
    await Promise.all([get(false), get(false), star(false)]);
    await expect(star(false)).rejects.toMatchObject(rejected);
  });

  it('a `secondaryLimit` fault counts only requests that match its method', async () => {
    emulator.fail({ method: 'PUT' }, { ...limit, requests: 1, per: 60_000 });
    await Promise.all([get(false), get(false), star(false)]);
    await expect(star(false)).rejects.toMatchObject(rejected);
  });

  it.each([
    [{ requests: 0 }, 'requests'],
    [{ per: 0.5 }, 'per'],
    [{ pause: -1 }, 'pause'],
  ])('emulator.fail() rejects a `secondaryLimit` fault with the option %j', (wrong, name) => {
    expect(() => emulator.fail({}, { ...limit, ...wrong })).toThrow(`fail: ${name}: `);
  });
});

describe('HostingClient at a secondary rate limit', () => {
  // pace.test.ts counts the requests with a simulated clock.
  it('HostingClient completes 60 concurrent calls at a secondary limit', async () => {
    emulator.fail({}, limit);
    const pulls = await Promise.all(Array.from({ length: 60 }, () => get()));
    expect(pulls).toHaveLength(60);
    expect(emulator.requests.map(({ status }) => status)).toContain(403);
  });

  it('rateLimit.pausedUntil contains the end of a pause until resetLimits() ends the pause', async () => {
    emulator.fail({}, { ...limit, requests: 1, per: 60_000 }, { times: 1 });
    await get(false);
    expect(hosting.rateLimit.pausedUntil).toBeUndefined();
    await expect(get(false)).rejects.toMatchObject(rejected);
    const left = Number(hosting.rateLimit.pausedUntil) - Date.now();
    expect(left).toBeGreaterThan(1000);
    expect(left).toBeLessThanOrEqual(2000);
    await expect(get(false)).rejects.toMatchObject({ code: 'rate_limit', reason: 'secondary' });
    hosting.resetLimits();
    await get(false);
    expect(hosting.rateLimit.pausedUntil).toBeUndefined();
  });

  it('HostingClient reads a complete list at a secondary limit with a concurrency of 16', async () => {
    const user = 'crowd';
    emulator.hosting.addUser(user);
    for (let number = 0; number < 60; number++) emulator.hosting.addRepo(user, `r${number}`);
    emulator.fail({}, { ...limit, requests: 4, pause: 1000 });
    const list = hosting.paginate(
      'GET /users/{user}/repos',
      { user, per_page: 2 },
      { concurrency: 16, schema: Repository },
    );
    const names = new Set<string>();
    for await (const { name } of list) names.add(name);
    expect(names.size).toBe(60);
  });
});
