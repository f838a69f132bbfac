import { randomBytes } from 'node:crypto';
import { type FileHandle, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';
import { FileStream } from '../../../../src/transport/upload/file-stream.js';

/** Opens a file whose reads return fewer bytes than requested, as on network file systems. */
async function slowlyRead(path: string, most: number): Promise<FileHandle> {
  const file = await open(path);
  const read = file.read.bind(file);
  const less = (target: Buffer, options: { offset?: number; position?: number }) =>
    read(target, { ...options, length: Math.min(most, target.length - (options.offset ?? 0)) });
  return Object.assign(file, { read: less });
}

it('FileStream reads a file completely despite short reads', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'triforge-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const bytes = randomBytes(100_001);
  await writeFile(join(folder, 'package'), bytes);
  const file = await slowlyRead(join(folder, 'package'), 4096);
  const sent = await buffer(new FileStream('package', file, bytes.length));
  expect(sent.length).toBe(bytes.length);
  expect(sent.equals(bytes)).toBe(true);
});
