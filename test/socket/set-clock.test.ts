import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createClient, rejectionOf } from '../support/client.js';
import { sendJson, serve } from '../support/server.js';

const day = 86_400_000;

/** Changes the system clock, as an administrator or a time server can. Timers keep running. */
function setClock(ms: number): void {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
  onTestFinished(() => void vi.useRealTimers());
}

const usedUp = (seconds: number) => ({
  date: new Date().toUTCString(),
  'x-ratelimit-limit': '60',
  'x-ratelimit-remaining': '0',
  'x-ratelimit-reset': `${Math.floor(Date.now() / 1000) + seconds}`,
});

describe.each([
  ['back', -day],
  ['forward', day],
])('a clock set %s by a day', (_direction, by) => {
  it('a clock change leaves the pause for a secondary limit unchanged', async () => {
    const server = await serve((_request, response, index) =>
      index === 0
        ? sendJson(response, {}, 429, { 'retry-after': '1' })
        : sendJson(response, { ok: true }),
    );
    const client = createClient(server, { retry: { limit: 0 }, rateLimit: { maxWait: 500 } });
    await rejectionOf(client.request('GET /x'));
    setClock(by);
    const refused = await rejectionOf(client.request('GET /x'));
    expect(refused).toMatchObject({ code: 'rate_limit', reason: 'secondary' });
    const { retryAfter, resetAt } = Object(refused);
    expect(retryAfter).toBeGreaterThan(0);
    expect(retryAfter).toBeLessThanOrEqual(1000);
    expect(Math.abs(resetAt.getTime() - Date.now() - retryAfter)).toBeLessThan(500);
    const patient = createClient(server);
    expect(await patient.request('GET /x')).toEqual({ ok: true });
    await new Promise((resolve) => setTimeout(resolve, retryAfter));
    expect(await client.request('GET /x')).toEqual({ ok: true });
  });

  it("a clock change doesn't prolong the wait for a quota reset", async () => {
    const server = await serve((_request, response, index) =>
      index === 0 ? sendJson(response, {}, 200, usedUp(2)) : sendJson(response, { ok: true }),
    );
    const client = createClient(server, { rateLimit: { onLimit: 'wait', maxWait: 5000 } });
    await client.request('GET /x');
    setClock(by);
    expect(await client.request('GET /x')).toEqual({ ok: true });
  });
});

it("RateLimitError.resetAt matches retryAfter even if the server's clock is wrong", async () => {
  const past = Date.UTC(2014, 5, 1);
  const server = await serve((_request, response) =>
    sendJson(response, { message: 'API rate limit exceeded' }, 403, {
      ...usedUp(0),
      date: new Date(past).toUTCString(),
      'x-ratelimit-reset': `${past / 1000 + 90}`,
    }),
  );
  const client = createClient(server);
  for (const sent of ['refused by the server', 'known before it is sent']) {
    const before = Date.now();
    const error = Object(await rejectionOf(client.request('GET /x')));
    expect(error, sent).toMatchObject({ code: 'rate_limit', reason: 'primary' });
    expect(error.retryAfter, sent).toBeGreaterThan(60_000);
    expect(error.retryAfter, sent).toBeLessThanOrEqual(90_000);
    expect(error.resetAt.getTime(), sent).toBeGreaterThanOrEqual(before + error.retryAfter - 1000);
    expect(error.resetAt.getTime(), sent).toBeLessThanOrEqual(Date.now() + error.retryAfter);
    expect(error.response.rateLimit.reset, sent).toEqual(new Date(past + 90_000));
  }
  expect(server.requests).toHaveLength(1);
});
