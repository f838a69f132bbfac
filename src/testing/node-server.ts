import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { wireFaultOf } from './faults.js';

/** Answers a request; the raw path is as it came in, before `Request` normalizes it. */
export type Answer = (request: Request, rawPath: string) => Promise<Response>;

/** A running server. */
export interface Listening {
  readonly port: number;
  /** `http://127.0.0.1:<port>`. */
  readonly url: string;
  close(): Promise<void>;
}

/** Serves answers over real HTTP on the loopback address. @param port 0 for a free one. */
export async function listen(answer: Answer, port: number): Promise<Listening> {
  const server = createServer((incoming, outgoing) => {
    serve(answer, incoming, outgoing).catch((cause: unknown) => {
      outgoing.destroy(cause instanceof Error ? cause : undefined);
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const bound = portOf(server);
  return { port: bound, url: `http://127.0.0.1:${bound}`, close: () => closed(server) };
}

function portOf(server: Server): number {
  // `as`: a server that listens on TCP has an AddressInfo.
  return (server.address() as AddressInfo).port;
}

function closed(server: Server): Promise<void> {
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeAllConnections();
  });
}

async function serve(
  answer: Answer,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const request = toRequest(incoming);
  if (!request) {
    outgoing.writeHead(405, { 'content-length': '0' }).end();
    return;
  }
  const response = await answer(request, incoming.url ?? '/');
  const fault = wireFaultOf(response);
  if (fault?.kind === 'reset') {
    incoming.socket.destroy();
    return;
  }
  const headers = Object.fromEntries(response.headers);
  const phrase = response.statusText === '' ? undefined : response.statusText;
  const body = Buffer.from(await response.arrayBuffer());
  if (body.length > 0) headers['content-length'] = String(body.length);
  // The rest of an upload nobody reads would block the connection.
  if (!incoming.readableEnded) incoming.resume();
  if (phrase === undefined) outgoing.writeHead(response.status, headers);
  else outgoing.writeHead(response.status, phrase, headers);
  if (fault?.kind === 'truncate') {
    outgoing.write(body.subarray(0, fault.bytes ?? Math.floor(body.length / 2)), () =>
      incoming.socket.destroy(),
    );
    return;
  }
  outgoing.end(body);
}

/** A `Request` with a streamed body; undefined for methods that `Request` refuses. */
function toRequest(incoming: IncomingMessage): Request | undefined {
  const method = incoming.method ?? 'GET';
  if (method === 'TRACE' || method === 'CONNECT') return undefined;
  const url = new URL(incoming.url ?? '/', `http://${incoming.headers.host ?? '127.0.0.1'}`);
  const headers = new Headers();
  for (const [name, value] of Object.entries(incoming.headers)) {
    for (const each of Array.isArray(value) ? value : [value ?? '']) headers.append(name, each);
  }
  if (method === 'GET' || method === 'HEAD') return new Request(url, { method, headers });
  return new Request(url, {
    method,
    headers,
    // `as`: Node's web stream and the global one are the same class with two type declarations.
    body: Readable.toWeb(incoming) as ReadableStream<Uint8Array>,
    duplex: 'half',
  });
}
