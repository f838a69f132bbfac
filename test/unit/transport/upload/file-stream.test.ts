import { randomBytes } from 'node:crypto';
import { mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { FileStream } from '../../../../src/transport/upload/file-stream.js';
import { rejectionOf, turns } from '../../../support/client.js';
import { about } from '../../about.js';

const bytes = randomBytes(3_000_001);
let folder = '';
let path = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'triforge-'));
  path = join(folder, 'package');
  await writeFile(path, bytes);
});
afterAll(() => rm(folder, { recursive: true }));

const streamOf = async (length: number) => new FileStream('package', await open(path), length);

describe('FileStream', () => {
  it('a file stream reads a file completely if no memory is released', async () => {
    expect((await buffer(await streamOf(bytes.length))).equals(bytes)).toBe(true);
  });

  it('a file stream reads a file into the memory of released chunks', async () => {
    const stream = await streamOf(bytes.length);
    const memory = new Set<ArrayBufferLike>();
    const copies: Buffer[] = [];
    for await (const chunk of stream) {
      memory.add(chunk.buffer);
      copies.push(Buffer.from(chunk));
      stream.recycle(chunk);
    }
    expect(Buffer.concat(copies).equals(bytes)).toBe(true);
    expect(copies.length).toBeGreaterThan(5);
    expect(memory.size).toBeLessThan(4);
  });

  it('a file stream reads a file in chunks of 512 KiB', async () => {
    const sizes = new Set<number>();
    for await (const chunk of await streamOf(bytes.length)) sizes.add(chunk.buffer.byteLength);
    expect([...sizes], 'memory of a chunk').toEqual([524_288]);
  });

  it('a file stream reuses each released chunk only once', async () => {
    const stream = await streamOf(bytes.length);
    stream.recycle(Buffer.from('a stranger'.repeat(100_000)));
    const kept: [chunk: Buffer, copy: Buffer][] = [];
    let first = true;
    for await (const chunk of stream) {
      if (first) {
        stream.recycle(chunk);
        stream.recycle(chunk);
        first = false;
      } else {
        kept.push([chunk, Buffer.from(chunk)]);
      }
    }
    expect(kept.filter(([chunk, copy]) => !chunk.equals(copy))).toEqual([]);
    expect(new Set(kept.map(([chunk]) => chunk.buffer)).size).toBe(kept.length);
  });

  it.each([
    ['is longer than announced', bytes.length - 1, '3000000 bytes (got more bytes)'],
    ['was announced as empty but is not', 0, '0 bytes (got more bytes)'],
    ['is shorter than announced', bytes.length + 1, '3000002 bytes (got 3000001 bytes)'],
  ])('a file stream rejects a file that %s', async (_title, length, what) => {
    const error = await rejectionOf(buffer(await streamOf(length)));
    const message = `package: the data must have the declared size of ${what}`;
    expect(error).toMatchObject({ code: 'invalid_request', field: 'package', message });
  });

  it('a file stream yields fewer bytes than announced if the file contains more', async () => {
    let seen = 0;
    const reading = (async () => {
      for await (const chunk of await streamOf(1_000_000)) seen += chunk.length;
    })();
    await rejectionOf(reading);
    expect(seen).toBeLessThan(1_000_000);
  });

  it('a file stream throws an InvalidRequestError if the file becomes unreadable', async () => {
    const file = await open(path);
    const stream = new FileStream('package', file, bytes.length);
    await file.close();
    const error = await rejectionOf(buffer(stream));
    const { cause } = error instanceof Error ? error : {};
    expect(error).toMatchObject({
      code: 'invalid_request',
      field: 'package',
      message: about('package', /file closed$/),
    });
    expect(cause, "the system's error").toMatchObject({ message: 'file closed' });
  });

  it('a file stream closes its file if the stream is destroyed during a read', async () => {
    const file = await open(path);
    const stream = new FileStream('package', file, bytes.length);
    stream.read();
    stream.destroy();
    await new Promise((resolve) => {
      stream.once('close', resolve);
    });
    expect(file.fd).toBe(-1);
  });

  it('a file stream closes even if the file fails to close', async () => {
    const file = await open(path);
    const stream = new FileStream('package', file, bytes.length);
    const { close } = file;
    file.close = () => Promise.reject(new Error('the disk is gone'));
    onTestFinished(() => close.call(file));
    stream.destroy();
    await turns(3);
    expect(stream.closed).toBe(true);
  });
});
