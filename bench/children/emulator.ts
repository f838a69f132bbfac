// Sends a mix of requests to the emulator or to a bare server, in one process, as tests do. `argv[2]` selects
// the server. The parent starts each turn.
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEmulator, seeded } from 'triforge/testing';
import { Agent, type Dispatcher, request } from 'undici';
import type { TaskResult } from '../task.js';

const { owner, repo, token } = seeded;
const rocket = `/repos/${owner}/${repo}`;
const headers = {
  authorization: `token ${token}`,
  'content-type': 'application/json',
  'user-agent': 'bench',
};

/** Requests to the emulator: reads, lists, writes and errors, each with the expected status. */
const mix: readonly (readonly [
  method: Dispatcher.HttpMethod,
  path: string,
  status: number,
  body?: (lap: number) => object,
])[] = [
  ['GET', '/user', 200],
  ['GET', `${rocket}/pulls/7`, 200],
  ['GET', `${rocket}/pulls?per_page=30`, 200],
  ['GET', `${rocket}/releases?page=2&per_page=20`, 200],
  ['PUT', `/user/starred/${owner}/${repo}`, 204],
  ['DELETE', `/user/starred/${owner}/${repo}`, 204],
  ['POST', `${rocket}/releases`, 201, (lap) => ({ tag_name: `bench-${lap}` })],
  ['PATCH', '/teams/3', 200, () => ({ name: 'Owners' })],
  ['GET', `${rocket}/pulls/99999`, 404],
  ['POST', `${rocket}/releases`, 422, () => ({ name: 'No tag' })],
];

/** Number of times that a turn sends the mix. */
const laps = 200;

interface Server {
  readonly origin: string;
  readonly dispatcher: Dispatcher;
  reset(): void;
}

async function send(
  { origin, dispatcher }: Server,
  [method, path, , body]: (typeof mix)[number],
  lap = 0,
) {
  const response = await request(`${origin}/api/v3${path}`, {
    method,
    headers,
    dispatcher,
    ...(body && { body: JSON.stringify(body(lap)) }),
  });
  return { ...response, text: await response.body.text() };
}

/** Starts a server that returns the emulator's responses and ignores request bodies. */
async function bare(): Promise<Server> {
  const model = inProcess();
  const responses: Awaited<ReturnType<typeof send>>[] = [];
  for (const each of mix) responses.push(await send(model, each));
  let received = 0;
  const server = createServer((incoming, outgoing) => {
    const response = responses[received++ % mix.length];
    incoming.resume().on('end', () => {
      outgoing.writeHead(response?.statusCode ?? 500, response?.headers).end(response?.text);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // `as`: a server that listens on a port has this type of address.
  const { port } = server.address() as AddressInfo;
  return { origin: `http://127.0.0.1:${port}`, dispatcher: new Agent(), reset: () => undefined };
}

function inProcess(): Server {
  const emulator = createEmulator();
  const reset = () => emulator.reset();
  return { origin: 'http://emulator.test', dispatcher: emulator.dispatcher(), reset };
}

async function overSocket(): Promise<Server> {
  const emulator = createEmulator();
  const { url } = await emulator.listen();
  return { origin: url, dispatcher: new Agent(), reset: () => emulator.reset() };
}

const servers: Readonly<Record<string, () => Server | Promise<Server>>> = {
  bare,
  socket: overSocket,
  dispatcher: inProcess,
};
const server = await servers[process.argv[2] ?? '']?.();
if (server === undefined) throw new Error(`usage: emulator ${Object.keys(servers).join('|')}`);

async function perform(to: Server): Promise<TaskResult> {
  // Resets the emulator, because its state and request log grow during a turn.
  to.reset();
  const cpu = process.cpuUsage();
  const started = performance.now();
  for (let lap = 0; lap < laps; lap += 1) {
    for (const each of mix) {
      const { statusCode, text } = await send(to, each, lap);
      if (statusCode !== each[2]) throw new Error(`${each[0]} ${each[1]}: ${statusCode} ${text}`);
    }
  }
  const ms = performance.now() - started;
  const used = process.cpuUsage(cpu);
  return { ms, cpu: (used.user + used.system) / 1000 };
}

process.on('message', () => {
  perform(server).then(
    (result) => process.send?.(result),
    (error: unknown) => process.send?.({ error: String(error) }),
  );
});
process.on('disconnect', () => process.exit());
process.send?.('ready');
