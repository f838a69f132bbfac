import { promiseHooks } from 'node:v8';
import { describe, expect, it } from 'vitest';
import { HostingClient } from '../../../src/hosting/index.js';
import { AnsweringDispatcher } from './dispatch/answering-dispatcher.js';

/**
 * Runs a call repeatedly and returns the smallest number of new promises, because other code may
 * create promises at the same time.
 */
async function countPromises(call: () => Promise<unknown>): Promise<number> {
  let fewest = Number.POSITIVE_INFINITY;
  for (let run = 0; run < 20; run++) {
    let count = 0;
    const stop = promiseHooks.onInit(() => {
      count++;
    });
    const running = call();
    await running;
    stop();
    fewest = Math.min(fewest, count);
  }
  return fewest;
}

describe('pulls.get()', () => {
  const dispatcher = new AnsweringDispatcher(() => ({ body: '{}' }));
  const hosting = new HostingClient({
    baseUrl: 'https://code.example.com/api/v3/',
    auth: { type: 'token', token: 'hush99' },
    dispatcher,
    validation: 'off',
  });

  it('creates at most nine promises after warm-up calls', async () => {
    const input = { owner: 'acme', repo: 'rocket', number: 1 };
    expect(await countPromises(() => hosting.pulls.get(input))).toBeLessThanOrEqual(9);
  });
});
