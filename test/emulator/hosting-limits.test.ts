import { beforeEach, describe, expect, it } from 'vitest';
import { HostingClient } from '../../src/index.js';
import { createEmulator, type Emulator, seeded } from '../../src/testing/index.js';
import { adasLab } from './hosting-worlds.js';
import { basic, type RequestOptions, sendRequest } from './send-request.js';

const { owner, repo, token } = seeded;
const limit = { kind: 'secondaryLimit', requests: 8, per: 100, pause: 2000 } as const;
const rejected = { code: 'rate_limit', reason: 'secondary', retryAfter: 2000 };

describe('secondary rate limits', () => {
  let emulator: Emulator;

  let hosting: HostingClient;

  const get = (retry?: false) => hosting.pulls.get({ owner, repo, number: 1 }, { retry });

  const star = (retry?: false) => hosting.starring.star({ owner, repo }, { retry });

  beforeEach(() => {
    emulator = createEmulator();
    hosting = new HostingClient({
      baseUrl: 'https://code.test/api/v3/',
      auth: { type: 'token', token },
      dispatcher: emulator.dispatcher(),
    });
  });

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
  });
});

describe('the rate limit', () => {
  let emulator: Emulator;

  const get = (path: string, how: RequestOptions = {}) =>
    sendRequest(emulator, `GET ${path}`, { auth: null, ...how });

  beforeEach(() => {
    emulator = adasLab();
  });

  describe('hosting rate limit', () => {
    it("the hosting API's rate limit counts the requests of each caller separately", async () => {
      emulator.hosting.setRateLimit(1);
      expect((await get('/users/ada')).headers['x-ratelimit-remaining']).toBe('0');
      expect((await get('/user', { auth: 'token t' })).status).toBe(200);
      const spent = async (how: RequestOptions = {}) => {
        const { status, data, headers } = await get('/users/ada', how);
        return [status, data.message, headers['x-ratelimit-remaining']];
      };
      expect(await spent()).toEqual([403, 'API rate limit exceeded for anonymous.', '0']);
      const auth = basic('ada', 'a:b');
      expect(await spent({ auth })).toEqual([403, 'API rate limit exceeded for user ada.', '0']);
      for (const path of ['/rate_limit', '/rate_limit/']) {
        expect((await get(path)).data.rate.remaining).toBe(0);
      }
      emulator.clock.advance(3_600_000 - 1000);
      expect((await get('/users/ada')).status).toBe(403);
      emulator.clock.advance(1000);
      expect((await get('/users/ada')).status).toBe(200);
      emulator.hosting.setRateLimit(undefined);
      expect((await get('/users/ada')).headers['x-ratelimit-remaining']).toBe('59');
      emulator.hosting.setRateLimit(5);
      emulator.reset();
      expect((await get('/rate_limit')).data.rate.limit).toBe(60);
    });
  });

  describe('the hosting API', () => {
    it("counts an application's requests separately from anonymous requests", async () => {
      emulator.hosting.setRateLimit(1);
      const path = '/users/ada?client_id=id&client_secret=s';
      expect((await get(path)).status).toBe(200);
      expect((await get(path)).data.message).toContain('app id');
      expect((await get('/users/ada')).status).toBe(200);
    });
  });
});
