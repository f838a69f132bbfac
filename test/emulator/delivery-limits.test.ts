import { describe, expect, it, onTestFinished } from 'vitest';
import { createEmulator } from '../../src/testing/index.js';
import { openReceiver } from './hook-receiver.js';

const mebibyte = 1_048_576;

async function scene(hooks: number, silent: boolean) {
  const { hosting } = createEmulator();
  const receiver = await openReceiver();
  receiver.silent = silent;
  onTestFinished(async () => {
    await receiver.close();
    await hosting.close();
  });
  const repo = hosting.addRepo('acme', 'new');
  const config = { url: receiver.url, content_type: 'json' };
  for (let count = 0; count < hooks; count++) hosting.addHook(repo, config);
  return { hosting, repo };
}

describe('hook deliveries', () => {
  it('the emulator limits the bodies of concurrent hook deliveries to 16 MiB in total', async () => {
    const { hosting, repo } = await scene(10, true);
    hosting.emit(repo, 'push', { text: 'x'.repeat(4 * mebibyte) });
    const errors = repo.hooks.map(({ lastResponse }) => lastResponse.message);
    const refused =
      'the bodies of this delivery and the deliveries in progress must not exceed 16 MiB in total';
    expect(errors).toEqual([null, null, null, ...Array(7).fill(refused)]);
  });

  it('the emulator delivers a body of more than 16 MiB if no other delivery is in progress', async () => {
    const { hosting, repo } = await scene(1, false);
    for (let count = 0; count < 2; count++) {
      hosting.emit(repo, 'push', { text: 'x'.repeat(17 * mebibyte) });
      await hosting.deliveriesSettled();
      expect(repo.hooks[0]?.lastResponse.code).toBe(200);
    }
  });
});
