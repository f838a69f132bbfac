import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readlink, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
import { afterAll, beforeAll, onTestFinished } from 'vitest';
import { ConsoleClient, type ConsoleClientOptions } from '../../src/console/index.js';
import { listening } from '../support/server.js';

/** A part of a multipart form, as parsed by an independent parser. */
export interface Part {
  readonly name: string;
  readonly filename: string | undefined;
  readonly type: string;
  readonly data: Buffer;
}

/** A received request. */
export interface Seen {
  readonly method: string;
  /** Path and query. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  /** Undefined if the body isn't a multipart form. */
  readonly parts: readonly Part[] | undefined;
}

/**
 * The server's response. With `hang`, the server sends no response. With `reset`, the server resets
 * the connection.
 */
export type Reply =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: unknown;
    }
  | 'reset'
  | 'hang';

export interface ConsoleServer extends AsyncDisposable {
  readonly url: string;
  readonly seen: readonly Seen[];
}

/** Starts a loopback server that records requests and responds as `reply` specifies. */
export async function consoleServer(
  reply: (seen: Seen, count: number) => Reply,
): Promise<ConsoleServer> {
  const seen: Seen[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', async () => {
      const body = Buffer.concat(chunks);
      const { method = '', url = '', headers } = request;
      const parts = await partsOf(body, headers['content-type']);
      const entry = { method, url, headers, body, parts };
      seen.push(entry);
      const result = reply(entry, seen.length);
      if (result === 'hang') return;
      if (result === 'reset') {
        request.socket.resetAndDestroy();
        return;
      }
      const json = typeof result.body === 'object';
      const text = json ? JSON.stringify(result.body) : String(result.body ?? '');
      response.writeHead(result.status, {
        ...(result.body !== undefined && { 'content-type': 'application/json' }),
        ...result.headers,
      });
      response.end(result.status === 204 ? undefined : text);
    });
  });
  const { origin, close } = await listening(server);
  return {
    url: origin,
    seen,
    [Symbol.asyncDispose]: close,
  };
}

/** Parses a form with a parser that shares no code with the client. */
export async function partsOf(
  body: Buffer,
  contentType: string | undefined,
): Promise<Part[] | undefined> {
  if (!contentType?.startsWith('multipart/form-data')) return undefined;
  const headers: BusboyHeaders = { 'content-type': contentType };
  const parser = new Busboy({ headers });
  const parts: Part[] = [];
  const files: Promise<void>[] = [];
  parser.on('field', (name, value, _nameCut, _valueCut, _encoding, type) => {
    parts.push({ name, filename: undefined, type, data: Buffer.from(value) });
  });
  parser.on('file', (name, stream, filename, _encoding, type) => {
    const place = parts.push({ name, filename, type, data: Buffer.alloc(0) }) - 1;
    files.push(
      stream.toArray().then((chunks: Buffer[]) => {
        parts[place] = { name, filename, type, data: Buffer.concat(chunks) };
      }),
    );
  });
  await new Promise((resolve, reject) => {
    parser.on('finish', resolve).on('error', reject);
    Readable.from([body]).pipe(parser);
  });
  await Promise.all(files);
  return parts;
}

/** Starts a server and creates a client for it. Closes both when the test ends. */
export async function consoleWorld(
  reply: (seen: Seen, count: number) => Reply,
  options: Partial<ConsoleClientOptions> = {},
) {
  const server = await consoleServer(reply);
  const client = new ConsoleClient({ baseUrl: server.url, ...options });
  onTestFinished(() => client.close());
  return { server, client };
}

export const md5 = (text: string) => createHash('md5').update(text).digest('hex');

/** Returns the `Authorization` header for a license hash. */
export const basic = (hash: string) => `Basic ${Buffer.from(`license:${hash}`).toString('base64')}`;

/** The license file's text. */
export const license = 'the license';

/** Creates a folder with a license and a package before the tests and deletes it after them. */
export function consoleFiles() {
  const files = {
    folder: '',
    license: '',
    package: '',
    /** Returns the paths of the files in this folder that this process has open. */
    open: async (): Promise<string[]> => {
      const names = await readdir('/proc/self/fd').catch(() => []);
      const links = await Promise.all(
        names.map((fd) => readlink(`/proc/self/fd/${fd}`).catch(() => '')),
      );
      return links.filter((link) => link.startsWith(files.folder));
    },
  };
  beforeAll(async () => {
    files.folder = await mkdtemp(join(tmpdir(), 'triforge-console-'));
    files.license = join(files.folder, 'license.ghl');
    files.package = join(files.folder, 'release.pkg');
    await writeFile(files.license, license);
    await writeFile(files.package, 'the package');
  });
  afterAll(() => rm(files.folder, { recursive: true }));
  return files;
}
