import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { HostingClient } from '../../src/hosting/index.js';
import type { HostingRequestOptions } from '../../src/hosting/resources/common.js';
import type { Random } from '../../src/testing/random.js';
import { type Audit, audit, type ClientLedger } from './audit.js';
import { soakCalls } from './calls.js';
import { createRandom, pickWeighted } from './random.js';
import { growth, leftovers, type Resources, takeStock } from './resources.js';
import type { ServerLedger } from './server.js';
import { classifyError, type Verdict, verdicts } from './verdict.js';

/** A run's parameters. */
export interface SoakOrder {
  readonly seed: number;
  readonly calls: number;
  /** Number of concurrent calls. */
  readonly concurrency: number;
  /** Share of requests that the server fails, from 0 to 1. */
  readonly faultRate: number;
}

export interface SoakResult {
  readonly order: SoakOrder;
  readonly audit: Audit;
  readonly server: ServerLedger;
  readonly start: Resources;
  readonly middle: Resources;
  readonly end: Resources;
  readonly closed: Resources;
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
 * Runs a seed's calls and compares both ledgers.
 * @param program Path of the compiled server program.
 */
export async function soak(program: string, order: SoakOrder): Promise<SoakResult> {
  const { seed, calls, concurrency, faultRate } = order;
  const problems: string[] = [];
  const note = (problem: string) => {
    if (problems.length < mostShown) problems.push(problem);
  };
  const onWarning = (warning: Error) => note(`process warning: ${warning.message}`);
  const onRejection = (reason: unknown) => note(`unhandled rejection: ${String(reason)}`);
  process.on('warning', onWarning);
  process.on('unhandledRejection', onRejection);
  const server = fork(program, [JSON.stringify({ seed, calls, faultRate })], {
    execArgv: [],
    serialization: 'advanced',
  });
  const stock = () => takeStock(() => sendRequest<number>(server, 'open'));
  try {
    const origin = await getMessage<string>(server);
    const start = await stock();
    const client = createClient(origin);
    const ledger = { calls: new Uint8Array(calls + 1), verdicts: new Uint8Array(calls + 1) };
    const caller = new Caller(order, client, origin, ledger, note);
    const half = Math.floor(calls / 2);
    await caller.run(1, half);
    const middle = await stock();
    await caller.run(half + 1, calls);
    const grown = (now: Resources) => growth(middle, now, concurrency, calls);
    const end = await stockUntil(stock, grown);
    await client.close();
    const left = (now: Resources) => leftovers(start, now);
    const closed = await stockUntil(stock, left);
    const counted = await sendRequest<ServerLedger>(server, 'ledger');
    const audited = audit(ledger, counted);
    for (const { operation, call, verdict, problem } of audited.disagreements) {
      note(`operation ${operation}, ${call}, ${verdict}: ${problem}`);
    }
    for (const complaint of counted.complaints) note(`the server received ${complaint}`);
    for (const problem of [...grown(end), ...left(closed)]) note(problem);
    return {
      order,
      audit: audited,
      server: counted,
      start,
      middle,
      end,
      closed,
      problems,
    };
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

/** Makes a run's calls and keeps the client's ledger. */
class Caller {
  readonly #order: SoakOrder;
  readonly #client: HostingClient;
  readonly #origin: string;
  readonly #ledger: ClientLedger;
  readonly #note: (problem: string) => void;
  /**
   * Many calls share this signal, and nothing aborts it. Leaked listeners would cause a warning.
   */
  readonly #shared = new AbortController();

  constructor(
    order: SoakOrder,
    client: HostingClient,
    origin: string,
    ledger: ClientLedger,
    note: (problem: string) => void,
  ) {
    this.#order = order;
    this.#client = client;
    this.#origin = origin;
    this.#ledger = ledger;
    this.#note = note;
  }

  /**
   * Makes the calls numbered `from` to `to`, with the run's concurrency. Resolves when all calls
   * have settled.
   */
  async run(from: number, to: number): Promise<void> {
    let next = from;
    const worker = async () => {
      while (next <= to) await this.#call(next++);
    };
    await Promise.all(Array.from({ length: this.#order.concurrency }, worker));
  }

  async #call(operation: number): Promise<void> {
    const random = createRandom(this.#order.seed, operation, 0x50a4);
    const call = pickWeighted(random, soakCalls);
    this.#ledger.calls[operation] = soakCalls.indexOf(call);
    const { options, signal, done } = this.#chooseOptions(random);
    let verdict: Verdict = 'done';
    try {
      await call.run(this.#client, operation, options, this.#origin);
    } catch (error) {
      const judged = classifyError(error, { kind: call.kind, signal });
      verdict = judged.verdict;
      if (judged.why !== undefined)
        this.#note(`operation ${operation}, ${call.name}: ${judged.why}`);
    } finally {
      done();
    }
    this.#ledger.verdicts[operation] = verdicts.indexOf(verdict);
  }

  /** Aborts some calls and sets a very short timeout for others. */
  #chooseOptions(random: Random): {
    readonly options: HostingRequestOptions;
    readonly signal: AbortSignal | undefined;
    readonly done: () => void;
  } {
    const draw = random.next();
    if (draw < 0.015) {
      const controller = new AbortController();
      const timer = setTimeout(() => controller.abort(new Error('given up')), random.next() * 20);
      const { signal } = controller;
      return { options: { signal }, signal, done: () => clearTimeout(timer) };
    }
    const done = () => undefined;
    if (draw < 0.025) {
      return { options: { timeout: { total: 1 + random.next() * 40 } }, signal: undefined, done };
    }
    if (draw < 0.3) return { options: { signal: this.#shared.signal }, signal: undefined, done };
    return { options: {}, signal: undefined, done };
  }
}
