import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';

/** Creates an empty folder. Deletes the folder when the test ends. */
export async function createTemporaryFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'triforge-test-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}
