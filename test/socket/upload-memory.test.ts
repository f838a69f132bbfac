import { randomBytes } from 'node:crypto';
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

import { listening } from '../support/server.js';
import { certificate, privateKey } from './console-certificate.js';

const bytes = randomBytes(12_345_678);
let folder = '';
let path = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'triforge-'));
  path = join(folder, 'package');
  await writeFile(path, bytes);
});
afterAll(() => rm(folder, { recursive: true }));

interface Appliance {
  readonly origin: string;
  /** Files from the received forms. */
  readonly files: Buffer[];
}

/**
 * Starts a server that receives packages. The server pauses for `pause` ms after every 16 pieces,
 * so that the sender must wait.
 */
async function appliance(secure: boolean, pause: number): Promise<Appliance> {
  const files: Buffer[] = [];
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const pieces: Buffer[] = [];
    for await (const piece of request) {
      pieces.push(piece);
      if (pause > 0 && pieces.length % 16 === 0) await delay(pause);
    }
    const form = Buffer.concat(pieces);
    const boundary = form.subarray(0, form.indexOf('\r\n'));
    files.push(form.subarray(form.indexOf('\r\n\r\n') + 4, form.lastIndexOf(boundary) - 2));
    response.writeHead(202).end();
  };
  const server = secure
    ? createTlsServer({ cert: certificate, key: privateKey }, take)
    : createServer(take);
  const { port } = await listening(server);
  return { origin: `${secure ? 'https' : 'http'}://localhost:${port}`, files };
}

function createClient({ origin }: Appliance, options: Partial<ConsoleClientOptions> = {}) {
  const auth = { licenseMd5: '0'.repeat(32) };
  const client = new ConsoleClient({ baseUrl: origin, auth, ...options });
  onTestFinished(() => client.close());
  return client;
}

/** Returns the indices of the files that differ from the uploaded file. */
const damaged = (files: readonly Buffer[]) =>
  files.flatMap((file, index) => (file.equals(bytes) ? [] : [index]));

describe('package uploads', () => {
  const places: readonly [string, boolean, number][] = [
    ['plain HTTP', false, 0],
    ['plain HTTP to a slow server', false, 3],
    ['TLS', true, 0],
    ['TLS to a slow server', true, 3],
  ];
  for (const [name, secure, pause] of places) {
    it(`an upload sends files unchanged over ${name}`, async () => {
      const place = await appliance(secure, pause);
      const client = createClient(place, { tls: { ca: certificate } });
      await Promise.all([1, 2, 3].map(() => client.upgrade({ package: path })));
      expect(place.files.length).toBe(3);
      expect(damaged(place.files)).toEqual([]);
    });
  }

  it('the client uploads a file unchanged even if a custom dispatcher keeps its chunks', async () => {
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
    await createClient(place, { dispatcher }).upgrade({ package: path });
    expect(place.files.length).toBe(1);
    expect(damaged(place.files)).toEqual([]);
  });
});
