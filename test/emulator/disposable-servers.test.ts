import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { createEmulator, createRecorder, replay } from '../../src/testing/index.js';

/** Returns the error that `fetch` reports for a server after the server's `await using` block. */
async function afterBlock(listen: () => Promise<AsyncDisposable & { readonly url: string }>) {
  let address: string;
  {
    await using server = await listen();
    address = server.url;
    await (await fetch(address)).arrayBuffer();
  }
  return await fetch(address).then(
    () => 'a response',
    (error: Error) => (error.cause instanceof Error ? error.cause.message : error.message),
  );
}

describe('listen()', () => {
  it("an emulator's server stops at the end of an `await using` block", async () => {
    const emulator = createEmulator();
    expect(await afterBlock(() => emulator.listen())).toContain('ECONNREFUSED');
    expect(await afterBlock(() => emulator.listen())).toContain('ECONNREFUSED');
  });

  it('an emulator that is starting to listen rejects a second call, and close() stops it', async () => {
    const emulator = createEmulator();
    const first = emulator.listen();
    await expect(emulator.listen()).rejects.toThrow('already listening');
    await emulator.close();
    const { url, port } = await first;
    await expect(fetch(url)).rejects.toThrow();
    await using taken = await createEmulator().listen(port);
    await expect(emulator.listen(taken.port)).rejects.toThrow('port: must be free');
    await using again = await emulator.listen();
    expect((await fetch(again.url)).status).toBe(404);
  });

  it('a recorder or replay server stops at the end of an `await using` block', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'triforge-'));
    try {
      await using target = await createEmulator().listen();
      const recorder = createRecorder({ to: folder });
      expect(await afterBlock(() => recorder.listen(target.url))).toContain('ECONNREFUSED');
      await recorder.close();
      expect(await afterBlock(() => replay(folder).listen())).toContain('ECONNREFUSED');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
