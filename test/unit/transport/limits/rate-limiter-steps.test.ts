import { describe, expect, it } from 'vitest';
import { Deadline } from '../../../../src/transport/dispatch/deadline.js';
import type { Permit } from '../../../../src/transport/limits/budgets.js';
import { RateLimiter } from '../../../../src/transport/limits/rate-limiter.js';
import { budget, start, stopTheClock, ticks } from './limiter-setup.js';

stopTheClock();

/**
 * Counts how often a limiter reads its clock and its calls' credentials until it has admitted or
 * rejected all calls.
 */
async function countSteps(
  calls: number,
  credentials: number,
  settings: { maxConcurrency?: number; onLimit?: 'throw' | 'wait' },
  respond: (sent: number) => Record<string, string> | undefined,
): Promise<number> {
  let steps = 0;
  const limiter = new RateLimiter({
    onLimit: 'throw',
    maxWait: 0,
    maxConcurrency: Number.POSITIVE_INFINITY,
    clock: () => {
      steps++;
      return start;
    },
    writeInterval: { always: 0, afterRejection: 0 },
    onWait: () => undefined,
    ...settings,
  });
  // All quotas are known in advance, so calls wait for pending responses.
  for (let each = 0; each < Math.min(calls, credentials); each++) {
    const request = {
      credential: `${each}`,
      operation: 'x',
      exemptFromLimits: false,
      writes: false,
    };
    void limiter.acquire(request, new Deadline([], 0));
    limiter.release(request, respond(-1));
  }
  const inFlight: Permit[] = [];
  let ended = 0;
  for (let index = 0; index < calls; index++) {
    const request: Permit = {
      get credential() {
        steps++;
        return `${index % credentials}`;
      },
      operation: 'x',
      exemptFromLimits: false,
      writes: false,
    };
    const note = (entry: unknown) => {
      if (entry === 'acquired') inFlight.push(request);
      else ended++;
    };
    const entering = limiter.acquire(request, new Deadline([], 0));
    if (entering) void entering.then(note);
    else note('acquired');
  }
  for (let sent = 0; ended < calls; sent++) {
    if (inFlight.length === 0) await ticks();
    const request = inFlight.shift();
    if (!request && ended === calls) break;
    if (!request) throw new Error(`${calls - ended} calls are neither admitted nor rejected`);
    limiter.release(request, respond(sent));
    ended++;
  }
  return steps;
}

describe('RateLimiter', () => {
  const known = (calls: number) => (sent: number) => budget(Math.max(0, calls / 2 - sent - 1));
  it.each([
    ['if half of the calls exceed the quota', 1, {}, known],
    ['with many credentials and a small quota', 50, {}, () => () => budget(3)],
    [
      'with one credential per call and few slots',
      100_000,
      { maxConcurrency: 8 },
      () => () => budget(60),
    ],
    ['with one credential and few slots', 1, { maxConcurrency: 8 }, () => () => undefined],
    ['if the quota never has more than one unit left', 1, {}, () => () => budget(1)],
  ] as const)(
    'the limiter takes a linear number of steps %s',
    async (_name, credentials, settings, responses) => {
      const [few, many] = [1000, 2000];
      const once = await countSteps(few, credentials, settings, responses(few));
      const twice = await countSteps(many, credentials, settings, responses(many));
      expect(twice / once).toBeLessThan(2.2);
    },
  );
});
