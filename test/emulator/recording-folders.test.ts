import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRecorder } from '../../src/testing/index.js';
import { serve } from '../support/server.js';
import { readLines, recordingFolder } from './recording-folder.js';

describe('createRecorder()', () => {
  it('createRecorder() rejects a folder that contains bodies but no recording', async () => {
    const to = await recordingFolder();
    await mkdir(join(to, 'bodies'));
    await writeFile(join(to, 'bodies', 'mine.txt'), 'mine');
    expect(() => createRecorder({ to })).toThrow(/bodies: .* no recording/);
    expect(await readFile(join(to, 'bodies', 'mine.txt'), 'utf8')).toBe('mine');
  });

  it('two recorders that write to the same folder keep their bodies separate', async () => {
    const server = await serve((seen, response) => void response.end(seen.url));
    const to = await recordingFolder();
    const recorders = [createRecorder({ to }), createRecorder({ to })];
    onTestFinished(async () => {
      await Promise.all(recorders.map((each) => each.close()));
    });
    for (const url of ['/a', '/b', '/c']) {
      for (const [at, dispatcher] of recorders.entries()) {
        await (await request(`${server.origin}${url}${at}`, { dispatcher })).body.dump();
      }
    }
    const lines = await readLines(to);
    expect(lines).toHaveLength(6);
    for (const { request: requests, response } of lines) {
      const body = await readFile(join(to, response.file ?? ''), 'utf8');
      expect(requests.url).toBe(server.origin + body);
    }
  });
});
