import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Random } from '../../src/testing/random.js';
import { pickWeighted } from './random.js';
import type { Reply } from './service.js';

/** Data that a fault needs. */
interface Stage {
  readonly response: ServerResponse;
  readonly socket: Socket;
  /** Stores the reply and returns the path to fetch it from. */
  readonly keep: (reply: Reply) => string;
  /** Undefined if the operation was not executed. */
  readonly reply: Reply | undefined;
  readonly random: Random;
}

interface Fault {
  readonly name: string;
  readonly weight: number;
  /** Whether the operation is executed before the fault. `either` is decided at random. */
  readonly acts: 'either' | 'never' | 'always';
  /** Whether the fault needs a JSON body, because damage to other bodies can't be detected. */
  readonly json?: boolean;
  /** Whether the fault needs a reply with a body. */
  readonly body?: boolean;
  /** Whether the fault applies only to POST, PUT, PATCH and DELETE. */
  readonly write?: boolean;
  readonly play: (stage: Stage) => void;
}

/** The fault chosen for a request. */
export interface Draw {
  readonly name: string;
  readonly acted: boolean;
  readonly play: (stage: Stage) => void;
}

/** Sends an error from the server or a proxy. */
function refuse(
  { response }: Stage,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ message }));
}

function head({ status, headers }: Reply, length: number): string {
  const fields = Object.entries({ ...headers, 'content-length': String(length) });
  return `HTTP/1.1 ${status} Soak\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

function reset({ socket }: Stage): void {
  socket.resetAndDestroy();
}

/** Sends part of the reply and then calls `end`. */
function part(stage: Stage, share: number, length: number, end: () => void): void {
  const { reply, socket } = stage;
  if (!reply) {
    end();
    return;
  }
  const body = reply.body.subarray(0, Math.floor(reply.body.length * share));
  socket.write(Buffer.concat([Buffer.from(head(reply, length)), body]), end);
}

const whole = ({ reply }: Stage) => reply?.body.length ?? 0;

const faults: readonly Fault[] = [
  { name: 'reset before headers', weight: 3, acts: 'either', play: reset },
  {
    name: 'reset within body',
    weight: 2,
    acts: 'always',
    body: true,
    play: (stage) => part(stage, stage.random.next(), whole(stage), () => reset(stage)),
  },
  {
    name: 'content-length too short',
    weight: 1,
    acts: 'always',
    json: true,
    // The connection stays open, so a faulty client would read the surplus as the next response.
    play: (stage) => {
      const { reply, socket } = stage;
      if (reply) socket.write(head(reply, reply.body.length - 5) + reply.body.toString());
    },
  },
  { name: '502', weight: 1, acts: 'either', play: (stage) => refuse(stage, 502, 'Bad Gateway') },
  {
    name: '503 with Retry-After',
    weight: 2,
    // Proxies send a 503 even if the server behind them has executed the request.
    acts: 'either',
    play: (stage) => refuse(stage, 503, 'Maintenance', { 'retry-after': '0' }),
  },
  {
    name: '429 with Retry-After',
    weight: 2,
    acts: 'never',
    play: (stage) => refuse(stage, 429, 'Slow down', { 'retry-after': '0' }),
  },
  { name: 'hangs', weight: 1, acts: 'either', play: () => undefined },
  {
    name: '303 to the result',
    weight: 2,
    acts: 'always',
    write: true,
    play: ({ response, reply, keep }) => {
      if (reply) response.writeHead(303, { location: keep(reply) }).end();
    },
  },
  {
    name: 'socket closed while idle',
    weight: 3,
    acts: 'always',
    play: (stage) => {
      const { response, socket, reply, random } = stage;
      send(response, reply);
      const rest = random.next() * 3;
      response.once('finish', () => setTimeout(() => socket.destroy(), rest));
    },
  },
];

/**
 * Chooses a fault for a request.
 * @param preview The reply without a fault.
 */
export function drawFault(random: Random, preview: Reply, method: string): Draw {
  const hasBody = preview.body.length > 0;
  const isJson = hasBody && (preview.headers['content-type'] ?? '').includes('json');
  // A damaged 404 would still mean that the target is missing.
  const fits = faults.filter(
    (fault) =>
      (!fault.json || (isJson && preview.status < 300)) &&
      (!fault.body || hasBody) &&
      !(fault.write && (method === 'GET' || method === 'HEAD')),
  );
  const { name, acts, play } = pickWeighted(random, fits);
  return { name, acted: acts === 'always' || (acts === 'either' && random.next() < 0.5), play };
}

/** Sends a correct reply. */
export function send(response: ServerResponse, reply: Reply | undefined): void {
  if (!reply) return;
  const { status, headers, body } = reply;
  const length = status === 204 || status === 304 ? {} : { 'content-length': String(body.length) };
  response.writeHead(status, { ...headers, ...length });
  response.end(body);
}
