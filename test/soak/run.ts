import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { HostingClient } from '../../src/hosting/index.js';
import type { HostingRequestOptions } from '../../src/hosting/resources/common.js';
import type { Random } from '../../src/testing/random.js';
import { classifyError, findProblem, type Verdict } from './audit.js';
import { type SoakCall, soakCalls } from './calls.js';
import { createRandom, pickWeighted } from './random.js';
import { growth, leftovers, type Resources, takeStock } from './resources.js';
import type { ServerLedger } from './server.js';

/** A run's parameters. */
export interface SoakOrder {
  readonly seed: number;
  readonly calls: number;
  /** Number of concurrent calls. */
  readonly concurrency: number;
}

export interface SoakResult {
  /** Calls that the run made. */
  readonly made: ReadonlySet<SoakCall>;
  readonly server: ServerLedger;
  readonly resources: Readonly<Record<'start' | 'middle' | 'end' | 'closed', Resources>>;
  /** Problems of every kind. Empty after a successful run. */
  readonly problems: readonly string[];
}

/** Maximum number of problems in the result. Further problems add no information. */
const mostShown = 20;

/**
 * Returns the server's next message.
 * @throws {Error} if the server process ends first.
 */
async function getMessage<T>(server: ChildProcess): Promise<T> {
  const done = new AbortController();
  const { signal } = done;
  const ended = once(server, 'exit', { signal }).then(([code]) => {
    throw new Error(`the server ended with ${code}`);
  });
  try {
    const [message] = await Promise.race([once(server, 'message', { signal }), ended]);
    return message as T; // `as`: the server program sends this type
  } finally {
    ended.catch(() => undefined);
    done.abort();
  }
}

function sendRequest<T>(server: ChildProcess, question: 'open' | 'ledger'): Promise<T> {
  server.send(question);
  return getMessage(server);
}

/**
 * Runs a seed's calls and compares their outcomes with the server's counts.
 * @param program Path of the compiled server program.
 */
export async function soak(program: string, order: SoakOrder): Promise<SoakResult> {
  const { seed, calls, concurrency } = order;
  const problems: string[] = [];
  const note = (problem: string) => {
    if (problems.length < mostShown) problems.push(problem);
  };
  const onWarning = (warning: Error) => note(`process warning: ${warning.message}`);
  const onRejection = (reason: unknown) => note(`unhandled rejection: ${String(reason)}`);
  process.on('warning', onWarning);
  process.on('unhandledRejection', onRejection);
  const server = fork(program, [JSON.stringify({ seed, calls })], {
    execArgv: [],
    serialization: 'advanced',
  });
  const stock = () => takeStock(() => sendRequest<number>(server, 'open'));
  // Many calls share this signal, and nothing aborts it. Leaked listeners would cause a warning.
  const shared = new AbortController();
  // Both lists have their final size, because growth would look like a leak.
  const chosen = Array<SoakCall | undefined>(calls + 1).fill(undefined);
  const verdicts = Array<Verdict>(calls + 1).fill('unsettled');
  try {
    const origin = await getMessage<string>(server);
    const start = await stock();
    const client = createClient(origin);
    const makeCall = async (operation: number) => {
      const random = createRandom(seed, operation, 0x50a4);
      const call = pickWeighted(random, soakCalls);
      chosen[operation] = call;
      const { options, signal, done } = chooseOptions(random, shared.signal);
      try {
        await call.run(client, operation, options, origin);
        verdicts[operation] = 'done';
      } catch (error) {
        const { verdict, why } = classifyError(error, call.kind, signal);
        verdicts[operation] = verdict;
        if (why !== undefined) note(`operation ${operation}, ${call.name}: ${why}`);
      } finally {
        done();
      }
    };
    const makeCalls = async (from: number, to: number) => {
      let next = from;
      const worker = async () => {
        while (next <= to) await makeCall(next++);
      };
      await Promise.all(Array.from({ length: concurrency }, worker));
    };
    const half = Math.floor(calls / 2);
    await makeCalls(1, half);
    const middle = await stock();
    await makeCalls(half + 1, calls);
    const grown = (now: Resources) => growth(middle, now, concurrency, calls);
    const end = await stockUntil(stock, grown);
    await client.close();
    const left = (now: Resources) => leftovers(start, now);
    const closed = await stockUntil(stock, left);
    const counted = await sendRequest<ServerLedger>(server, 'ledger');
    for (const [operation, call] of chosen.entries()) {
      const verdict = verdicts[operation] ?? 'unsettled';
      const problem = call && findProblem(call, verdict, counted, operation);
      if (problem) note(`operation ${operation}, ${call.name}, ${verdict}: ${problem}`);
    }
    for (const complaint of counted.complaints) note(`the server received ${complaint}`);
    for (const problem of [...grown(end), ...left(closed)]) note(problem);
    const made = new Set(chosen.filter((call) => call !== undefined));
    return { made, server: counted, resources: { start, middle, end, closed }, problems };
  } finally {
    process.off('warning', onWarning);
    process.off('unhandledRejection', onRejection);
    server.kill();
  }
}

/**
 * Measures the resources up to 20 times, until there are no problems. A busy machine may report
 * closed sockets late.
 */
async function stockUntil(
  stock: () => Promise<Resources>,
  problemsOf: (now: Resources) => readonly string[],
): Promise<Resources> {
  let now = await stock();
  for (let left = 20; left > 0 && problemsOf(now).length > 0; left--) now = await stock();
  return now;
}

/**
 * Creates a client with short delays and timeouts, a small cache, and no write pacing. Other
 * options have their defaults.
 */
function createClient(origin: string): HostingClient {
  return new HostingClient({
    baseUrl: `${origin}/api/v3`,
    auth: { type: 'token', token: 'soak-token' },
    retry: { baseDelay: 5, maxDelay: 40, maxRetryAfter: 3000 },
    timeout: { total: 20_000, headers: 400, body: 400 },
    // With write pacing, writes would time out before the client sends them.
    rateLimit: { onLimit: 'wait', maxWait: 5000, writeInterval: 0 },
    // The cache is full before the middle of a run, so it doesn't count as growth.
    cache: { maxBytes: 1_000_000 },
  });
}

/** Aborts some calls and sets a very short timeout for others. */
function chooseOptions(
  random: Random,
  shared: AbortSignal,
): {
  readonly options: HostingRequestOptions;
  readonly signal?: AbortSignal;
  readonly done: () => void;
} {
  const draw = random.next();
  const done = () => undefined;
  if (draw < 0.015) {
    const controller = new AbortController();
    const timer = setTimeout(() => controller.abort(new Error('given up')), random.next() * 20);
    const { signal } = controller;
    return { options: { signal }, signal, done: () => clearTimeout(timer) };
  }
  if (draw < 0.025) return { options: { timeout: { total: 1 + random.next() * 40 } }, done };
  return { options: draw < 0.3 ? { signal: shared } : {}, done };
}
