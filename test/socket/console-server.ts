import { createServer, type IncomingHttpHeaders } from 'node:http';
import { Readable } from 'node:stream';
import { Busboy, type BusboyHeaders } from '@fastify/busboy';
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
