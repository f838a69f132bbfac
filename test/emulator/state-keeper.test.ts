import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { createEmulator, readWorld } from '../../src/testing/index.js';
import { openStateFile } from '../../src/testing/state-file.js';
import { keepState } from '../../src/testing/state-keeper.js';

test('keepState() returns soon(), which delays the save, and now(), which saves immediately', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'triforge-state-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'state.json');
  const emulator = createEmulator({ seed: false });
  const failures: unknown[] = [];
  const file = await openStateFile(path);
  const keeper = keepState(file, emulator, (error) => failures.push(error));
  for (const login of ['ada', 'grace']) {
    emulator.hosting.addUser(login);
    keeper.soon();
  }
  expect(await readdir(folder), 'nothing is saved yet').toEqual([]);
  const kept = () => readWorld(path).catch(() => undefined);
  await expect.poll(kept).toEqual(emulator.export());
  emulator.hosting.addUser('ken');
  const writing = [keeper.now(), keeper.now()];
  emulator.hosting.addUser('hedy');
  await Promise.all(writing);
  expect(await kept(), 'includes changes made after the call to now()').toEqual(emulator.export());
  await rm(path);
  keeper.soon();
  await keeper.now();
  expect(await readdir(folder)).toEqual(['state.json']);
  await rm(folder, { recursive: true });
  await expect(keeper.now()).rejects.toThrow('ENOENT');
  expect(failures).toEqual([]);
  keeper.soon();
  await expect.poll(() => failures).toEqual([expect.objectContaining({ code: 'ENOENT' })]);
});
