import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { RecordedExchange } from '../../src/testing/index.js';

/** A folder to record to, which ends with the test. */
export async function recordingFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'triforge-recording-'));
  onTestFinished(() => rm(path, { recursive: true }));
  return path;
}

/** The lines of a recording. */
export async function linesOf(path: string): Promise<RecordedExchange[]> {
  const text = await readFile(join(path, 'exchanges.ndjson'), 'utf8');
  const lines = text.split('\n').filter((line) => line !== '');
  return lines.map((line) => JSON.parse(line));
}
