import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTlsServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as delay } from 'node:timers/promises';
import { Agent } from 'undici';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { ConsoleClient, type ConsoleClientOptions } from '../../src/console/index.js';
import { createClient, rejectionOf } from '../support/client.js';
import { listening } from '../support/server.js';
import { certificate, privateKey } from './console-certificate.js';

/**
 * Upload size in bytes. It exceeds the system's buffers on both sides, so a slow reader blocks the
 * writer.
 */
const size = 12_345_678;
const names = ['a', 'b', 'c', 'd', 'e', 'f'] as const;
type Name = (typeof names)[number];

let folder = '';
const hashes = new Map<string, string>();
const hash = (bytes: Buffer) => createHash('sha256').update(bytes).digest('hex');

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'triforge-'));
  for (const name of names) {
    const bytes = randomBytes(size);
    hashes.set(name, hash(bytes));
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

describe('an upload with reused memory', () => {
  it.each(Object.entries(readers))(
    'sends each file unchanged if the server reads %s',
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

interface Appliance {
  readonly origin: string;
  /** Hashes of the files in the received forms. */
  readonly files: string[];
}

/**
 * Starts a server that receives packages. The server pauses for `pause` ms after every 16 pieces,
 * so that the sender must wait.
 */
async function appliance(secure: boolean, pause: number): Promise<Appliance> {
  const files: string[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) {
      pieces.push(piece);
      if (pause > 0 && pieces.length % 16 === 0) await delay(pause);
    }
    const form = Buffer.concat(pieces);
    const boundary = form.subarray(0, form.indexOf('\r\n'));
    const file = form.subarray(form.indexOf('\r\n\r\n') + 4, form.lastIndexOf(boundary) - 2);
    files.push(hash(file));
    response.writeHead(202).end();
  };
  const server = secure
    ? createTlsServer({ cert: certificate, key: privateKey }, take)
    : createServer(take);
  const { port } = await listening(server);
  return { origin: `${secure ? 'https' : 'http'}://localhost:${port}`, files };
}

function createConsoleClient({ origin }: Appliance, options: Partial<ConsoleClientOptions> = {}) {
  const auth = { licenseMd5: '0'.repeat(32) };
  const client = new ConsoleClient({ baseUrl: origin, auth, ...options });
  onTestFinished(() => client.close());
  return client;
}

describe('an upload of a package', () => {
  it.each<[string, boolean, number]>([
    ['over plain HTTP', false, 0],
    ['over plain HTTP to a slow server', false, 3],
    ['over TLS', true, 0],
    ['over TLS to a slow server', true, 3],
  ])('sends files unchanged %s', async (_how, secure, pause) => {
    const place = await appliance(secure, pause);
    const client = createConsoleClient(place, { tls: { ca: certificate } });
    await Promise.all(
      (['a', 'b', 'a'] as const).map((name) => client.upgrade({ package: join(folder, name) })),
    );
    expect(place.files).toHaveLength(3);
    expect(new Set(place.files)).toEqual(new Set([hashes.get('a'), hashes.get('b')]));
  });

  it('sends the file unchanged even if a custom dispatcher keeps its chunks', async () => {
    const place = await appliance(false, 0);
    class Keeping extends Agent {
      override dispatch(...[options, handler]: Parameters<Agent['dispatch']>): boolean {
        const { body } = options;
        if (!(body instanceof Readable)) throw new Error('a stream');
        const kept: Buffer[] = [];
        body.on('data', (piece: Buffer) => {
          kept.push(piece);
          body.pause();
          setImmediate(() => body.resume());
        });
        body.once('end', () => super.dispatch({ ...options, body: Buffer.concat(kept) }, handler));
        return true;
      }
    }
    const dispatcher = new Keeping();
    onTestFinished(() => dispatcher.destroy());
    await createConsoleClient(place, { dispatcher }).upgrade({ package: join(folder, 'a') });
    expect(place.files).toEqual([hashes.get('a')]);
  });
});
