import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createClient, rejectionOf } from '../support/client.js';
import { listening } from '../support/server.js';

/**
 * Upload size in bytes. It exceeds the system's buffers on both sides, so a slow reader blocks the
 * writer.
 */
const size = 12_345_678;
const names = ['a', 'b', 'c', 'd', 'e', 'f'] as const;
type Name = (typeof names)[number];

let folder = '';
const hashes = new Map<string, string>();
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'triforge-'));
  for (const name of names) {
    const bytes = randomBytes(size);
    hashes.set(name, sha256(bytes));
    await writeFile(join(folder, name), bytes);
  }
});
afterAll(() => rm(folder, { recursive: true }));

/** How a server reads requests. */
interface Reader {
  /** Buffer size of the server's sockets in bytes. */
  readonly highWaterMark: number;
  /** Waits before the server reads piece number `piece`. */
  readonly wait: (piece: number) => Promise<unknown> | undefined;
}

const KiB = 1024;
const readers: Readonly<Record<string, Reader>> = {
  immediately: { highWaterMark: 64 * KiB, wait: () => undefined },
  slowly: {
    highWaterMark: 64 * KiB,
    wait: (piece) => (piece % 16 === 0 ? delay(2) : undefined),
  },
  'with two pauses': {
    highWaterMark: 64 * KiB,
    wait: (piece) => (piece === 0 || piece === 40 ? delay(50) : undefined),
  },
  'in small pieces': {
    highWaterMark: 2 * KiB,
    wait: (piece) => (piece % 500 === 0 ? delay(1) : undefined),
  },
};

/**
 * Starts a server that hashes uploads. The server rejects the first upload of `refused` after
 * reading part of the body.
 */
async function hashing({ highWaterMark, wait }: Reader, refused: Name) {
  const received: { name: string; length: number; hash: string }[] = [];
  let refusals = 0;
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const name = new URL(request.url ?? '', 'http://host').searchParams.get('name') ?? '';
    const hash = createHash('sha256');
    let length = 0;
    let pieces = 0;
    for await (const piece of request.iterator({ destroyOnReturn: false })) {
      await wait(pieces);
      pieces += 1;
      length += piece.length;
      hash.update(piece);
      if (name === refused && refusals === 0 && length > 1_000_000) {
        refusals += 1;
        // Reads the rest until the client gives up. Closing a socket with unread data would reset the
        // connection, and the reset could overtake the response.
        request.on('error', () => {}).resume();
        response.writeHead(429, { 'retry-after': '0' }).end('{"message":"not now"}');
        return;
      }
    }
    received.push({ name, length, hash: hash.digest('hex') });
    response.writeHead(201).end('{}');
  };
  const server = createServer({ highWaterMark }, (request, response) => {
    // Aborted requests end here.
    take(request, response).catch(() => response.destroy());
  });
  const { origin } = await listening(server);
  return { origin, received, refusals: () => refusals };
}

describe('uploads with reused memory', () => {
  it.each(Object.entries(readers))(
    'an upload sends each file unchanged if the server reads %s',
    async (_how, reader) => {
      const server = await hashing(reader, 'b');
      const client = createClient(server, { validation: 'off' });
      const send = (name: Name, stopAt = Number.POSITIVE_INFINITY) => {
        const controller = new AbortController();
        return client.releases.uploadAsset(
          {
            upload_url: `${server.origin}/{?name}`,
            name,
            content_type: 'application/octet-stream',
            data: join(folder, name),
          },
          {
            signal: controller.signal,
            onProgress: ({ sent }) => sent >= stopAt && controller.abort(new Error('given up')),
          },
        );
      };
      const passed = rejectionOf(send('d', 3_000_000));
      await Promise.all([send('a'), send('b'), send('c')]);
      expect(await passed).toMatchObject({ message: 'given up' });
      // Reuses the remaining sockets and sends the aborted upload again.
      await Promise.all([send('d'), send('e'), send('f')]);

      expect(server.refusals(), 'b was sent twice').toBe(1);
      const sorted = server.received.toSorted((one, other) => one.name.localeCompare(other.name));
      expect(sorted).toEqual(names.map((name) => ({ name, length: size, hash: hashes.get(name) })));
    },
  );
});
