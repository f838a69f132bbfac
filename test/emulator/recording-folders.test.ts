import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { request } from 'undici';
import { describe, expect, it, onTestFinished } from 'vitest';
import { createRecorder } from '../../src/testing/index.js';
import { serve } from '../support/server.js';
import { linesOf, recordingFolder } from './recording-folder.js';

describe('createRecorder', () => {
  it("rejects a folder whose bodies aren't those of a recording", async () => {
    const to = await recordingFolder();
    await mkdir(join(to, 'bodies'));
    await writeFile(join(to, 'bodies', 'mine.txt'), 'mine');
    expect(() => createRecorder({ to })).toThrow(/bodies: .* no recording/);
    expect(await readFile(join(to, 'bodies', 'mine.txt'), 'utf8')).toBe('mine');
  });

  it('keeps the bodies of two recorders in one folder apart', async () => {
    const server = await serve((seen, response) => void response.end(seen.url));
    const to = await recordingFolder();
    const recorders = [createRecorder({ to }), createRecorder({ to })];
    onTestFinished(() => Promise.all(recorders.map((each) => each.close())));
    for (const url of ['/a', '/b', '/c']) {
      for (const [at, dispatcher] of recorders.entries()) {
        await (await request(`${server.origin}${url}${at}`, { dispatcher })).body.dump();
      }
    }
    const lines = await linesOf(to);
    expect(lines).toHaveLength(6);
    for (const { request: asked, response } of lines) {
      const body = await readFile(join(to, response.file ?? ''), 'utf8');
      expect(asked.url).toBe(server.origin + body);
    }
  });
});
