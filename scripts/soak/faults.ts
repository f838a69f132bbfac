import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Answer } from './answers.js';
import { pick, type Random } from './random.js';

/** Where a fault is played. */
interface Stage {
  readonly response: ServerResponse;
  readonly socket: Socket;
  /** Keeps the answer, and tells where it can be asked for. */
  readonly keep: (answer: Answer) => string;
  /** The answer of the operation; undefined where it was not executed. */
  readonly answer: Answer | undefined;
  readonly random: Random;
}

interface Fault {
  readonly name: string;
  readonly weight: number;
  /** Whether the operation is executed first: a coin decides `either`. */
  readonly acts: 'either' | 'never' | 'always';
  /** Only for answers with a JSON body: nothing else shows that it is broken. */
  readonly json?: boolean;
  /** Only for answers with a body. */
  readonly body?: boolean;
  /** Not for HEAD, whose answers have no body to be cut short. */
  readonly notHead?: boolean;
  /** Only for POST, PUT, PATCH and DELETE. */
  readonly write?: boolean;
  readonly play: (stage: Stage) => void;
}

/** A fault as it was drawn for one request. */
export interface Draw {
  readonly name: string;
  readonly acted: boolean;
  readonly play: (stage: Stage) => void;
}

const html = '<!DOCTYPE html><html><body><h1>Bad Gateway</h1></body></html>';

/** An error of a server or of whatever stands before it. */
function refuse(
  { response }: Stage,
  status: number,
  message: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify({ message }));
}

/** Each form of `Retry-After`; hardly ever a second, lest the run be spent waiting. */
function retryAfter(random: Random): Record<string, string> {
  const wait = random() < 0.01 ? 1 : 0;
  if (random() < 0.5) return { 'retry-after': String(wait) };
  return { 'retry-after': new Date(Date.now() + wait * 1000).toUTCString() };
}

function head({ status, headers }: Answer, length: number): string {
  const fields = Object.entries({ ...headers, 'content-length': String(length) });
  return `HTTP/1.1 ${status} Soak\r\n${fields.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n`;
}

function reset({ socket }: Stage): void {
  socket.resetAndDestroy();
}

/** Sends a part of the answer, then ends the connection in some way. */
function part(stage: Stage, share: number, length: number, end: () => void): void {
  const { answer, socket } = stage;
  if (!answer) {
    end();
    return;
  }
  const body = answer.body.subarray(0, Math.floor(answer.body.length * share));
  socket.write(Buffer.concat([Buffer.from(head(answer, length)), body]), end);
}

const whole = ({ answer }: Stage) => answer?.body.length ?? 0;

const faults: readonly Fault[] = [
  { name: 'reset before headers', weight: 3, acts: 'either', play: reset },
  {
    name: 'closed before headers',
    weight: 1,
    acts: 'either',
    play: ({ socket }) => socket.end(),
  },
  {
    name: 'reset within headers',
    weight: 1,
    acts: 'either',
    play: (stage) => {
      stage.socket.write('HTTP/1.1 200 OK\r\ncontent-type: applic', () => reset(stage));
    },
  },
  {
    name: 'reset within body',
    weight: 2,
    acts: 'always',
    body: true,
    play: (stage) => part(stage, stage.random(), whole(stage), () => reset(stage)),
  },
  {
    name: 'truncated body',
    weight: 2,
    acts: 'always',
    body: true,
    play: (stage) => part(stage, stage.random(), whole(stage), () => stage.socket.end()),
  },
  {
    name: 'content-length too long',
    weight: 1,
    acts: 'always',
    body: true,
    play: (stage) => part(stage, 1, whole(stage) + 10, () => stage.socket.end()),
  },
  {
    name: 'content-length too short',
    weight: 1,
    acts: 'always',
    json: true,
    // The connection stays open: what is too much must not pass for the next answer.
    play: (stage) => {
      const { answer, socket } = stage;
      if (answer) socket.write(head(answer, answer.body.length - 5) + answer.body.toString());
    },
  },
  { name: '500', weight: 2, acts: 'either', play: (stage) => refuse(stage, 500, 'Server Error') },
  { name: '502', weight: 1, acts: 'either', play: (stage) => refuse(stage, 502, 'Bad Gateway') },
  {
    name: '502 as HTML',
    weight: 1,
    acts: 'either',
    play: ({ response }) => {
      response.writeHead(502, { 'content-type': 'text/html' });
      response.end(html);
    },
  },
  { name: '503', weight: 1, acts: 'either', play: (stage) => refuse(stage, 503, 'Unavailable') },
  {
    name: '503 with Retry-After',
    weight: 2,
    // As proxies do, whatever the server behind them had done by then.
    acts: 'either',
    play: (stage) => refuse(stage, 503, 'Maintenance', retryAfter(stage.random)),
  },
  {
    name: '500 truncated',
    weight: 1,
    notHead: true,
    acts: 'either',
    play: ({ socket }) => {
      socket.end('HTTP/1.1 500 Soak\r\ncontent-length: 100\r\n\r\n{"mess');
    },
  },
  {
    name: '403 truncated',
    weight: 1,
    notHead: true,
    acts: 'never',
    play: ({ socket }) => {
      socket.end('HTTP/1.1 403 Soak\r\ncontent-length: 100\r\n\r\n{"mess');
    },
  },
  {
    name: '429 with Retry-After',
    weight: 2,
    acts: 'never',
    play: (stage) => refuse(stage, 429, 'Slow down', retryAfter(stage.random)),
  },
  {
    name: '403 secondary limit',
    weight: 2,
    acts: 'never',
    play: (stage) =>
      refuse(stage, 403, 'You have exceeded a secondary rate limit', retryAfter(stage.random)),
  },
  { name: 'hangs', weight: 1, acts: 'either', play: () => undefined },
  {
    name: 'hangs within body',
    weight: 1,
    acts: 'always',
    body: true,
    play: (stage) => part(stage, stage.random() * 0.9, whole(stage), () => undefined),
  },
  {
    name: 'garbage instead of HTTP',
    weight: 1,
    acts: 'either',
    play: ({ socket }) => {
      socket.write('\u0000\u0001SSH-2.0-soak\r\n\r\n');
    },
  },
  {
    name: 'garbage instead of JSON',
    weight: 1,
    acts: 'always',
    json: true,
    play: ({ response, answer }) => {
      response.writeHead(answer?.status ?? 200, { 'content-type': 'application/json' });
      response.end(html);
    },
  },
  {
    name: 'empty 200',
    weight: 1,
    acts: 'always',
    json: true,
    play: ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '0' });
      response.end();
    },
  },
  {
    name: '303 to the result',
    weight: 2,
    acts: 'always',
    write: true,
    play: ({ response, answer, keep }) => {
      if (answer) response.writeHead(303, { location: keep(answer) }).end();
    },
  },
  {
    name: 'socket closed while idle',
    weight: 3,
    acts: 'always',
    play: (stage) => {
      const { response, socket, answer, random } = stage;
      send(response, answer);
      const rest = random() * 3;
      response.once('finish', () => setTimeout(() => socket.destroy(), rest));
    },
  },
];

/** Draws the fault of one request; `preview` is the answer that it would get. */
export function drawFault(random: Random, preview: Answer, method: string): Draw {
  const hasBody = preview.body.length > 0;
  const isJson = hasBody && (preview.headers['content-type'] ?? '').includes('json');
  // A 404 tells what is not there: a broken one is as good as none.
  const fits = faults.filter(
    (fault) =>
      (!fault.json || (isJson && preview.status < 300)) &&
      (!fault.body || hasBody) &&
      !(fault.notHead && method === 'HEAD') &&
      !(fault.write && (method === 'GET' || method === 'HEAD')),
  );
  const { name, acts, play } = pick(random, fits);
  return { name, acted: acts === 'always' || (acts === 'either' && random() < 0.5), play };
}

/** Sends an answer as it should be. */
export function send(response: ServerResponse, answer: Answer | undefined): void {
  if (!answer) return;
  const { status, headers, body } = answer;
  const length = status === 204 || status === 304 ? {} : { 'content-length': String(body.length) };
  response.writeHead(status, { ...headers, ...length });
  response.end(body);
}
