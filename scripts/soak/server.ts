// The server of the soak: a process of its own, so that its memory and sockets are not the client's.
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createListener, type Server, type Socket } from 'node:net';
import { type Answer, answer, conditional } from './answers.js';
import { drawFault, send } from './faults.js';
import type { ServerLedger, ServerMessage, ServerOrder } from './protocol.js';
import { randomOf } from './random.js';
import { type Understood, understand } from './service.js';

const [orderText = ''] = process.argv.slice(2);
// `as`: our own parent wrote it.
const order = JSON.parse(orderText) as ServerOrder;

const executions = new Uint16Array(order.calls + 1);
const effects = new Uint16Array(order.calls + 1);
const repeats = new Uint16Array(order.calls + 1);
const arrivals = new Uint16Array(order.calls + 1);
const faults: Record<string, number> = {};
const complaints: string[] = [];
let requests = 0;
let unmodified = 0;
let connections = 0;
let lastArrival = 0;
/** The end of the second whose quota was used up, in seconds since the epoch. */
let exhaustedUntil = 0;
let usedInWindow = 0;
let window = 0;

/** One request in so many uses up the quota of its second, and one in so many restarts the server. */
const quotaEvery = 6000;
const restartEvery = 5000;
const quota = 100_000;

/** Answers that are to be asked for after a 303. */
const results = new Map<number, Answer>();

function bump(counts: Uint16Array, at: number): void {
  counts[at] = (counts[at] ?? 0) + 1;
}

function count(fault: string): void {
  faults[fault] = (faults[fault] ?? 0) + 1;
}

/** A window of a second, and a quota that only a fault uses up. */
function quotaHeaders(): Record<string, string> {
  const second = Math.floor(Date.now() / 1000);
  if (second !== window) {
    window = second;
    usedInWindow = 0;
  }
  usedInWindow++;
  const left = second < exhaustedUntil ? 0 : quota - usedInWindow;
  return {
    'x-ratelimit-limit': String(quota),
    'x-ratelimit-remaining': String(left),
    'x-ratelimit-reset': String(second + 1),
  };
}

/** The answer as it stands, without executing anything. */
function preview({ operation, execute }: Understood, { method, headers }: IncomingMessage): Answer {
  const made = execute(executions[operation] ?? 0);
  return method === 'GET' ? conditional(made, headers['if-none-match']) : made;
}

function execute(understood: Understood, incoming: IncomingMessage): Answer {
  const { operation, effect } = understood;
  const before = executions[operation] ?? 0;
  const made = preview(understood, incoming);
  if (made.status === 304) unmodified++;
  if (effect !== 'read' && made.status < 300) {
    bump(executions, operation);
    // Adding what is there, and removing what is gone, changes nothing.
    if (effect === 'once' || before === 0) bump(effects, operation);
  }
  return made;
}

function handle(incoming: IncomingMessage, response: ServerResponse, body: Buffer): void {
  requests++;
  lastArrival = Date.now();
  const socket = incoming.socket;
  const url = new URL(incoming.url ?? '', `http://${incoming.headers.host}`);
  const method = incoming.method ?? '';
  const understood = understand({ method, url, body, results, arrivals });
  if (typeof understood === 'string') {
    if (complaints.length < 20) complaints.push(understood);
    send(response, answer(400, { message: understood }));
    return;
  }
  const { operation } = understood;
  const random = randomOf(order.seed, operation, arrivals[operation] ?? 0);
  bump(arrivals, operation);
  if (!understood.result && (executions[operation] ?? 0) > 0) bump(repeats, operation);
  const limits = quotaHeaders();
  if (order.faultRate > 0 && random() < 1 / quotaEvery) {
    exhaustedUntil = window + 1;
    limits['x-ratelimit-remaining'] = '0';
  }
  if (limits['x-ratelimit-remaining'] === '0') {
    count('403 primary limit');
    send(response, answer(403, { message: 'API rate limit exceeded' }, limits));
    return;
  }
  if (requests % restartEvery === 0 && order.faultRate > 0) restart();
  // Few come to ask for a result: half of them are failed.
  if (random() >= order.faultRate * (understood.result ? 5 : 1)) {
    const made = execute(understood, incoming);
    const full = { ...made, headers: { ...made.headers, ...limits } };
    if (random() < 0.05) setTimeout(() => send(response, full), random() * 20);
    else send(response, full);
    return;
  }
  const drawn = drawFault(random, preview(understood, incoming), method);
  count(drawn.name);
  const made = drawn.acted ? execute(understood, incoming) : undefined;
  const keep = (result: Answer) => {
    results.set(operation, result);
    return `/api/v3/results/${operation}`;
  };
  drawn.play({ response, socket, answer: made, random, keep });
}

const http = createServer((incoming, response) => {
  const chunks: Buffer[] = [];
  incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
  incoming.on('error', () => undefined);
  response.on('error', () => undefined);
  incoming.on('end', () => handle(incoming, response, Buffer.concat(chunks)));
});
http.on('clientError', (_error, socket) => socket.destroy());

const sockets = new Set<Socket>();
let listener: Server | undefined;

/** The listening socket is apart from the HTTP server, so that it can be closed and opened again. */
function listen(port: number, listening: (port: number) => void): void {
  listener = createListener((socket) => {
    connections++;
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    http.emit('connection', socket);
  });
  listener.listen(port, '127.0.0.1', 512, () => {
    const address = listener?.address();
    if (typeof address === 'object' && address !== null) listening(address.port);
  });
}

/** For a moment nobody answers: connections are refused, and those there are go on. */
function restart(): void {
  const address = listener?.address();
  if (typeof address !== 'object' || address === null) return;
  count('connection refused (restart)');
  listener?.close();
  setTimeout(() => listen(address.port, () => undefined), 40);
}

function tell(message: ServerMessage): void {
  process.send?.(message);
}

/** Counts may still change while requests come in: a while of silence ends the run. */
function report(): void {
  if (Date.now() - lastArrival < 300) {
    setTimeout(report, 50);
    return;
  }
  const ledger: ServerLedger = {
    executions,
    effects,
    repeats,
    faults,
    requests,
    unmodified,
    connections,
    complaints,
  };
  tell({ kind: 'ledger', ledger });
}

process.on('message', (asked) => {
  if (asked === 'ledger') report();
  else tell({ kind: 'connections', open: sockets.size });
});
process.on('disconnect', () => process.exit());
listen(0, (port) => tell({ kind: 'listening', port }));
