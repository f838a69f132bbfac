import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createListener, type Server, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { drawFault, send } from './faults.js';
import { createRandom } from './random.js';
import { conditional, type Reply, reply, type Understood, understand } from './service.js';

/** The server's counts. Arrays are indexed by operation, starting at 1. */
export interface ServerLedger {
  /** Number of times that the operation was executed. */
  readonly executions: Uint16Array;
  /** Number of times that the operation changed the state. */
  readonly effects: Uint16Array;
  /** Number of times that the operation was requested again after its execution. */
  readonly repeats: Uint16Array;
  /** Number of times that each fault occurred. */
  readonly faults: Record<string, number>;
  requests: number;
  /** Responses with status 304. */
  unmodified: number;
  /** Requests that no correct client sends. */
  readonly complaints: string[];
}

export interface ServerOrder {
  readonly seed: number;
  /** Number of operations. */
  readonly calls: number;
}

/** Share of requests that fail, from 0 to 1. */
const faultRate = 0.1;
/** Number of requests between restarts of the server. */
const restartEvery = 5000;

function bump(counts: Uint16Array, at: number): void {
  counts[at] = (counts[at] ?? 0) + 1;
}

/** A server that fails at random and counts the operations that it executed. */
export class SoakServer {
  readonly #order: ServerOrder;
  readonly #ledger: ServerLedger;
  /** Requests per operation. */
  readonly #arrivals: Uint16Array;
  /** Replies to fetch after a 303. */
  readonly #results = new Map<number, Reply>();
  readonly #sockets = new Set<Socket>();
  readonly #http = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('error', () => undefined);
    response.on('error', () => undefined);
    incoming.on('end', () => this.#handle(incoming, response, Buffer.concat(chunks)));
  }).on('clientError', (_error, socket) => socket.destroy());
  #listener: Server | undefined;
  #port = 0;
  #lastArrival = 0;

  private constructor(order: ServerOrder) {
    const counts = () => new Uint16Array(order.calls + 1);
    this.#order = order;
    this.#arrivals = counts();
    this.#ledger = {
      executions: counts(),
      effects: counts(),
      repeats: counts(),
      faults: {},
      requests: 0,
      unmodified: 0,
      complaints: [],
    };
  }

  static async start(order: ServerOrder): Promise<SoakServer> {
    const server = new SoakServer(order);
    await server.#listen();
    return server;
  }

  get origin(): string {
    return `http://127.0.0.1:${this.#port}`;
  }

  /** Open connections. */
  get open(): number {
    return this.#sockets.size;
  }

  /** Returns the counts once no request has arrived for 300 ms. */
  async ledger(): Promise<ServerLedger> {
    while (Date.now() - this.#lastArrival < 300) await sleep(50);
    return this.#ledger;
  }

  /** Opens a listener that is separate from the HTTP server, so the listener can be reopened. */
  async #listen(): Promise<void> {
    const listener = createListener((socket) => {
      this.#sockets.add(socket);
      socket.on('error', () => undefined);
      socket.on('close', () => this.#sockets.delete(socket));
      this.#http.emit('connection', socket);
    });
    this.#listener = listener;
    await new Promise<void>((resolve) => {
      listener.listen(this.#port, '127.0.0.1', 512, resolve);
    });
    const address = listener.address();
    if (typeof address === 'object' && address !== null) this.#port = address.port;
  }

  /** Refuses new connections for 40 ms. Open connections continue. */
  #restart(): void {
    this.#count('connection refused (restart)');
    this.#listener?.close();
    setTimeout(() => this.#listen(), 40);
  }

  #count(fault: string): void {
    const { faults } = this.#ledger;
    faults[fault] = (faults[fault] ?? 0) + 1;
  }

  /** Returns the reply to a request without executing the request. */
  #preview(understood: Understood, { method, headers }: IncomingMessage): Reply {
    const created = understood.execute(this.#ledger.executions[understood.operation] ?? 0);
    return method === 'GET' ? conditional(created, headers['if-none-match']) : created;
  }

  #execute(understood: Understood, incoming: IncomingMessage): Reply {
    const { operation, effect } = understood;
    const { executions, effects } = this.#ledger;
    const before = executions[operation] ?? 0;
    const created = this.#preview(understood, incoming);
    if (created.status === 304) this.#ledger.unmodified++;
    if (effect !== 'read' && created.status < 300) {
      bump(executions, operation);
      // Adding an existing item or removing a missing item changes nothing.
      if (effect === 'once' || before === 0) bump(effects, operation);
    }
    return created;
  }

  #handle(incoming: IncomingMessage, response: ServerResponse, body: Buffer): void {
    const ledger = this.#ledger;
    const { seed } = this.#order;
    ledger.requests++;
    this.#lastArrival = Date.now();
    const url = new URL(incoming.url ?? '', `http://${incoming.headers.host}`);
    const method = incoming.method ?? '';
    const [results, arrivals] = [this.#results, this.#arrivals];
    const understood = understand({ method, url, body, results, arrivals });
    if (typeof understood === 'string') {
      if (ledger.complaints.length < 20) ledger.complaints.push(understood);
      send(response, reply(400, { message: understood }));
      return;
    }
    const { operation, result } = understood;
    const random = createRandom(seed, operation, arrivals[operation] ?? 0);
    bump(arrivals, operation);
    if (!result && (ledger.executions[operation] ?? 0) > 0) bump(ledger.repeats, operation);
    if (ledger.requests % restartEvery === 0) this.#restart();
    // Few requests fetch a result, so these requests fail five times as often.
    if (random.next() >= faultRate * (result ? 5 : 1)) {
      const created = this.#execute(understood, incoming);
      if (random.next() < 0.05) setTimeout(() => send(response, created), random.next() * 20);
      else send(response, created);
      return;
    }
    const drawn = drawFault(random, this.#preview(understood, incoming), method);
    this.#count(drawn.name);
    const keep = (kept: Reply) => {
      results.set(operation, kept);
      return `/api/v3/results/${operation}`;
    };
    drawn.play({
      response,
      socket: incoming.socket,
      reply: drawn.acted ? this.#execute(understood, incoming) : undefined,
      random,
      keep,
    });
  }
}
