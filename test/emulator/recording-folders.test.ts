import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { request } from 'undici';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { createRecorder } from '../../src/testing/index.js';
import { MaskedFile } from '../../src/testing/recording/masked-file.js';
import { Masks } from '../../src/testing/recording/masks.js';
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

describe('MaskedFile', () => {
  it('MaskedFile searches fewer than four bytes per byte of a body', () => {
    const secret = 'a1'.repeat(30_000);
    const masks = new Masks([secret]);
    const search = vi.spyOn(masks, 'octets');
    const written: string[] = [];
    const write = (piece: Uint8Array) => void written.push(Buffer.from(piece).toString());
    const file = new MaskedFile({ name: 'bodies/0001.bin', write }, masks);
    const text = `${'.'.repeat(800_000)}${secret}${'.'.repeat(800_000)}`;
    for (let at = 0; at < text.length; at += 5000)
      file.write(Buffer.from(text.slice(at, at + 5000)));
    file.end();
    expect(written.join('')).toBe(`${'.'.repeat(800_000)}***${'.'.repeat(800_000)}`);
    const searched = search.mock.calls.reduce((sum, [piece]) => sum + piece.length, 0);
    expect(searched).toBeLessThan(4 * text.length);
  });
});
