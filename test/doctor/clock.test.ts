import { createServer } from 'node:https';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { examine } from '../../src/doctor/index.js';
import { serverCertificate, serverKey } from '../socket/private-authority.js';
import { listening, sendJson, serve } from '../support/server.js';

/** Sets `Date` to a fixed time until the test ends. */
function setTime(time: number): void {
  vi.useFakeTimers({ toFake: ['Date'] });
  vi.setSystemTime(time);
  onTestFinished(() => void vi.useRealTimers());
}

async function factsAt(baseUrl: string) {
  const { families } = await examine({ hosting: { baseUrl } });
  return families[0]?.facts ?? [];
}

describe('clock check', () => {
  const now = Date.UTC(2024, 5, 1, 12);

  it.each([
    ['in sync', 0, 'in sync'],
    ['59 s ahead', 59, 'in sync'],
    ['60 s behind', -60, 'in sync'],
    ['a minute ahead', 60, /^1 minute ahead$/],
    ['a minute behind', -61, /^1 minute behind$/],
    ['an hour ahead', 3600, /^60 minutes ahead$/],
    ['three days behind', -3 * 86_400, /^4320 minutes behind$/],
  ])('examine() reports a server clock that is %s', async (_how, seconds, value) => {
    setTime(now);
    const server = await serve((_request, response) => {
      const date = new Date(now + seconds * 1000).toUTCString();
      sendJson(response, {}, 200, { date });
    });
    const clock = (await factsAt(`${server.origin}/api/v3/`)).find(({ name }) => name === 'clock');
    expect(clock?.value).toMatch(value);
    expect(!clock?.problem, clock?.problem).toBe(value === 'in sync');
  });

  it('examine() reports the clock as unknown if the response has no Date header', async () => {
    const server = await serve((_request, response) => {
      response.sendDate = false;
      sendJson(response, {});
    });
    const clock = (await factsAt(`${server.origin}/api/v3/`)).find(({ name }) => name === 'clock');
    expect(clock).toEqual({ name: 'clock', value: 'unknown' });
  });
});

describe('certificate check', () => {
  const end = Date.UTC(2120, 0, 1);
  const day = 86_400_000;
  let baseUrl = '';

  beforeEach(async () => {
    const server = createServer({ cert: serverCertificate, key: serverKey });
    server.on('tlsClientError', () => undefined);
    const { port } = await listening(server);
    baseUrl = `https://localhost:${port}/api/v3/`;
  });

  it.each([
    ['is valid for 100 days', -100 * day, /^100 days left$/, false],
    ['is valid for two weeks', -14 * day, /^14 days left$/, false],
    ['is valid for less than two weeks', 1 - 14 * day, /^13 days left$/, true],
    ['expires tomorrow', -day, /^1 day left$/, true],
    ['expires today', 0, /^0 days left$/, true],
    ['has expired', 1, /expired/, true],
  ])('examine() reports a certificate that %s', async (_what, time, value, wrong) => {
    setTime(end + time);
    const facts = await factsAt(baseUrl);
    const certificate = facts.find(({ name }) => name === 'certificate');
    expect(certificate?.value).toMatch(value);
    expect(!!certificate?.problem, certificate?.problem).toBe(wrong);
  });
});
