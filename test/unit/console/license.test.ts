import { createHash } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { md5, readSmallFile, type SmallFile } from '../../../src/console/small-file.js';
import { InvalidRequestError } from '../../../src/errors/index.js';

const licenseMd5 = async (license: SmallFile) => md5(await readSmallFile('license', license));

describe('readSmallFile()', () => {
  // These bytes exceed one chunk of a file stream and aren't valid UTF-8.
  const bytes = Buffer.alloc(2_500_000, Buffer.from([0, 255, 10, 13, 128]));
  const hash = createHash('md5').update(bytes).digest('hex');
  let folder = '';
  let file = '';

  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'triforge-license-'));
    file = join(folder, 'license.ghl');
    await writeFile(file, bytes);
  });
  afterAll(() => rm(folder, { recursive: true }));

  it.each([
    ['a path', () => file],
    ['a file: URL', () => pathToFileURL(file)],
    [
      'a Uint8Array view of a larger buffer',
      () => new Uint8Array(Buffer.concat([bytes, bytes])).subarray(bytes.length),
    ],
    ['a Readable', () => Readable.from([bytes.subarray(0, 7), bytes.subarray(7)])],
  ])('hashes a license passed as %s', async (_what, license) => {
    expect(await licenseMd5(license())).toBe(hash);
  });

  it('rejects an empty license', async () => {
    await expect(licenseMd5(Buffer.alloc(0))).rejects.toMatchObject({ field: 'license' });
  });

  it('rejects a missing file or an invalid path', async () => {
    for (const wrong of [join(folder, 'missing'), folder, '', 'with\0zero']) {
      const result = licenseMd5(wrong);
      await expect(result, JSON.stringify(wrong)).rejects.toThrow(InvalidRequestError);
      await expect(result).rejects.toMatchObject({ field: 'license' });
    }
  });
});
