import { createHash } from 'node:crypto';
import { mkdtemp, open, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { crc32 } from 'node:zlib';
import { program, startServer, timed } from '../processes.js';
import { atLeast, atMost, findRow, type Measured } from '../result.js';
import { interleave } from '../rounds.js';
import type { Received } from '../sink.js';

const gib = 1024 ** 3;
const size = 4 * gib;
/** Offsets of the file's data: at both ends, and near the limits of 32-bit integers. */
const marks = [0, 2 * gib - 7, 3 * gib + 12345, size - 64];

/** Creates a sparse file that contains some data. @returns The result that the server should report. */
async function sparseFile(path: string): Promise<Received> {
  const file = await open(path, 'w+');
  try {
    await file.truncate(size);
    for (const at of marks) await file.write(`here is ${at} of the package`.padEnd(64), at);
    let checksum = 0;
    const hash = createHash('sha256');
    const buffer = Buffer.alloc(4 * 1024 * 1024);
    for (let at = 0; at < size; at += buffer.length) {
      await file.read(buffer, 0, buffer.length, at);
      checksum = crc32(buffer, checksum);
      hash.update(buffer);
    }
    return { length: size, checksum, sha256: hash.digest('hex') };
  } finally {
    await file.close();
  }
}

/** Compares a 4 GiB upload with the same upload in curl. */
export async function upload(): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'upload-'));
  try {
    await using server = await startServer();
    const file = join(folder, 'package.bin');
    const whole = await sparseFile(file);
    const rounds = 5;
    const checked = async (command: string, args: readonly string[]) => {
      const [{ ms, output }, received] = await Promise.all([
        timed(command, args),
        server.received(),
      ]);
      const { sha256 = whole.sha256 } = received;
      const sent = { ...received, sha256 };
      if (!isDeepStrictEqual(sent, whole)) {
        throw new Error(`${command}: ${JSON.stringify(sent)}, not ${JSON.stringify(whole)}`);
      }
      return { mib: size / 1024 ** 2 / (ms / 1000), output, sha256: received.sha256 };
    };
    const ours = [program('children/upload')];
    const { sha256 } = await checked(process.execPath, [...ours, `${server.origin}sha256/`, file]);
    if (sha256 === undefined) throw new Error('the server returned no SHA-256');
    const rows = await interleave(
      {
        curl: async () => {
          const form = ['-sSf', '-o', '/dev/null', '-F', `package=@${file}`];
          const { mib } = await checked('curl', [...form, `${server.origin}setup/api/upgrade`]);
          return [mib];
        },
        triforge: async () => {
          const args = [...ours, server.origin, file];
          const { mib, output } = await checked(process.execPath, args);
          return [mib, { 'peak RSS MB': Number(output) / 1e6 }];
        },
      },
      rounds,
      1,
    );
    const triforge = findRow(rows, 'triforge');
    return {
      title: 'Upload of 4 GiB',
      about:
        '`ConsoleClient.upgrade` with a sparse file of 4 GiB, and `curl -F`, each in a separate process and measured from its start to its end. The server counts the bytes and computes their CRC-32, and both must match the file. For one more upload, which is not measured, it also computes the SHA-256.',
      unit: 'MiB/s',
      rounds,
      rows,
      goals: [
        atLeast(0.8, triforge.ratio, "0.80 times curl's speed"),
        atMost(150, triforge.more['peak RSS MB'] ?? Number.NaN, '150 MB of memory'),
      ],
    };
  } finally {
    await rm(folder, { recursive: true });
  }
}
