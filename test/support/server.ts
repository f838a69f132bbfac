import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type Server, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';

/** A received request. */
export interface Seen {
  readonly method: string;
  /** Path and query, as sent. */
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

/** Address of a server on the loopback interface. */
export interface Listening {
  /** `http://127.0.0.1:<port>`. */
  readonly origin: string;
  readonly port: number;
  /** All connections accepted so far. */
  readonly sockets: ReadonlySet<Socket>;
  close(): Promise<void>;
}

/** A server on the loopback interface that records its requests. */
export interface TestServer extends Listening {
  /** All requests so far. */
  readonly requests: Seen[];
  /** `METHOD url` of all requests so far. */
  readonly log: string[];
  /** Returns the number of open connections. */
  open(): Promise<number>;
}

/** Responds to one request. `index` counts from 0. */
export type Handler = (request: Seen, response: ServerResponse, index: number) => unknown;

/** Starts an HTTP server that calls `handler` for each request. */
export async function serve(handler: Handler): Promise<TestServer> {
  const requests: Seen[] = [];
  const log: string[] = [];
  const server = createServer((incoming, response) => {
    const index = requests.length;
    const chunks: Buffer[] = [];
    const seen = {
      method: incoming.method ?? '',
      url: incoming.url ?? '',
      headers: incoming.headers,
      get body() {
        return Buffer.concat(chunks).toString();
      },
    };
    requests.push(seen);
    log.push(`${seen.method} ${seen.url}`);
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('error', () => undefined);
    incoming.on('end', () => handler(seen, response, index));
  });
  server.on('clientError', (_error, socket) => socket.destroy());
  return await started(server, requests, log);
}

/**
 * Starts a TCP server, for responses that no HTTP server would send. `index` counts requests from
 * 0.
 */
export async function serveRaw(
  respond: (socket: Socket, index: number, head: string) => unknown,
): Promise<TestServer> {
  const requests: Seen[] = [];
  const log: string[] = [];
  const server = createTcpServer((socket) => {
    socket.on('error', () => undefined);
    let text = '';
    socket.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1');
      for (let end = text.indexOf('\r\n\r\n'); end >= 0; end = text.indexOf('\r\n\r\n')) {
        const head = text.slice(0, end);
        const length = /^content-length: *(\d+)/im.exec(head)?.[1] ?? '0';
        const whole = end + 4 + Number(length);
        if (text.length < whole) return;
        const body = text.slice(end + 4, whole);
        text = text.slice(whole);
        const [method = '', url = ''] = head.split(' ');
        requests.push({ method, url, headers: {}, body });
        log.push(`${method} ${url}`);
        respond(socket, requests.length - 1, head);
      }
    });
  });
  return await started(server, requests, log);
}

async function started(server: Server, requests: Seen[], log: string[]): Promise<TestServer> {
  return {
    ...(await listening(server)),
    requests,
    log,
    open: () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
      }),
  };
}

/**
 * Starts a server, by default on a free port. Closes the server and its connections when the test
 * ends.
 */
export async function listening(
  server: Server,
  { port = 0, host = '127.0.0.1' } = {},
): Promise<Listening> {
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => sockets.add(socket));
  await new Promise<void>((resolve) => {
    server.listen(port, host, resolve);
  });
  const address = server.address();
  const taken = typeof address === 'object' && address !== null ? address.port : 0;
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const socket of sockets) socket.destroy();
    });
  onTestFinished(close);
  return { origin: `http://127.0.0.1:${taken}`, port: taken, sockets, close };
}

/** Returns a loopback origin and port that no server listens on. */
export async function nobody(): Promise<Pick<Listening, 'origin' | 'port'>> {
  const { origin, port, close } = await listening(createTcpServer());
  await close();
  return { origin, port };
}

export function sendJson(
  response: ServerResponse,
  value: unknown,
  status = 200,
  headers: Readonly<Record<string, string | number | readonly string[]>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(value));
}
