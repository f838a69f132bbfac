import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { formatSupportDate } from '../../src/support/index.js';
import { world } from './support-world.js';

describe('support sessions', () => {
  it('the client renews a support session before it expires', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const soon = `${new Date(Date.now() + 120_000).toISOString().slice(0, 19)}+0000`;
    const { client, sessions, server } = await world({ expires: soon });
    await client.me();
    vi.advanceTimersByTime(80_000);
    await client.me();
    expect(sessions(), '40 s left').toBe(1);
    vi.advanceTimersByTime(20_000);
    await client.me();
    expect(sessions()).toBe(2);
    expect(server.log.filter((line) => line.startsWith('GET'))).toHaveLength(3);
  });

  it('the client renews a support session 30 s before it expires', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const opened = new Date();
    opened.setMilliseconds(0);
    vi.setSystemTime(opened);
    const { client, sessions } = await world({
      date: opened.toUTCString(),
      expires: formatSupportDate(new Date(opened.getTime() + 120_000)),
    });
    await client.me();
    vi.advanceTimersByTime(89_999);
    await client.me();
    expect(sessions()).toBe(1);
    vi.advanceTimersByTime(1);
    await client.me();
    expect(sessions()).toBe(2);
  });

  it("the client renews a support session by the server's clock, even if the local clock is an hour behind", async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const theirs = Date.now() + 3_600_000;
    const { client, sessions } = await world({
      date: new Date(theirs).toUTCString(),
      expires: `${new Date(theirs + 120_000).toISOString().slice(0, 19)}+0000`,
    });
    await client.me();
    vi.advanceTimersByTime(100_000);
    await client.me();
    expect(sessions(), '20 s left').toBe(2);
  });

  it('the client uses a short-lived support session for half of its lifetime', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'performance'] });
    onTestFinished(() => void vi.useRealTimers());
    const soon = `${new Date(Date.now() + 20_000).toISOString().slice(0, 19)}+0000`;
    const { client, sessions } = await world({ expires: soon });
    await client.me();
    vi.advanceTimersByTime(5000);
    await client.me();
    expect(sessions(), '15 s left').toBe(1);
    vi.advanceTimersByTime(10_000);
    await client.me();
    expect(sessions()).toBe(2);
  });

  it.each([
    ['is before', '2014-01-01T00:00:00+0000'],
    ['equals', '2014-06-01T12:00:00+0000'],
  ])(
    "the client keeps a support session whose expiry %s the response's Date",
    async (_when, expires) => {
      const { client, sessions } = await world({ expires, date: 'Sun, 01 Jun 2014 12:00:00 GMT' });
      await client.me();
      await client.me();
      expect(sessions()).toBe(1);
    },
  );

  it("the client calculates a session's lifetime by the local clock if the server sends no Date", async () => {
    const now = Math.floor(Date.now() / 1000) * 1000;
    const { client } = await world({
      authenticate(response) {
        response.sendDate = false;
        const expires = formatSupportDate(new Date(now + 3_600_000));
        response.end(JSON.stringify({ access_token: 'a', expires }));
      },
    });
    const { expires, lifetime } = await client.authenticate();
    expect(expires?.getTime()).toBe(now + 3_600_000);
    expect(lifetime).toBeLessThanOrEqual(3_600_000);
    expect(lifetime).toBeGreaterThan(0);
  });

  it.each([
    ['behind the local clock', '2014-06-01T13:00:00+0000', 'Sun, 01 Jun 2014 12:00:00 GMT'],
    ['ahead of the local clock', '2099-06-01T13:00:00+0000', 'Mon, 01 Jun 2099 12:00:00 GMT'],
  ])(
    "the client opens only one support session, even if the server's clock is %s",
    async (_title, expires, date) => {
      const { client, sessions } = await world({ expires, date });
      await client.me();
      await client.me();
      expect(sessions()).toBe(1);
    },
  );

  it('the client uses a support session until a 401 if its expiry is not a valid date', async () => {
    const { client, sessions, expire } = await world({ expires: 'one day' });
    await client.me();
    await client.me();
    expect(sessions()).toBe(1);
    expire();
    await client.me();
    expect(sessions()).toBe(2);
  });
});
