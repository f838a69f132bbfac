import { setTimeout as sleep } from 'node:timers/promises';
import { inspect } from 'node:util';
import { Random } from '../../src/testing/random.js';
import { Deadline } from '../../src/transport/dispatch/deadline.js';
import { FleetLimits } from '../../src/transport/fleet/fleet-limits.js';
import { RateLimiter } from '../../src/transport/limits/rate-limiter.js';
import type { LimitReport, SharedLimits } from '../../src/transport/limits/shared-limits.js';

/** A fleet and its service: the numbers of clients and calls, and the limits. */
export interface Scenario {
  readonly clients: number;
  /** Number of concurrent calls per client. */
  readonly lanes: number;
  /** Number of calls per lane and credential. */
  readonly calls: number;
  readonly credentials: number;
  /** Quota per credential. */
  readonly limit: number;
  /** Maximum number of calls in flight across all clients. */
  readonly slots: number;
  /** True if the store knows the limit from an earlier response. */
  readonly known: boolean;
  /** Seed for the latencies. */
  readonly seed: number;
}

/** Numbers of requests that the service counted. */
export interface Outcome {
  readonly served: readonly number[];
  readonly refused: readonly number[];
  readonly most: number;
}

/** A service in this process that counts requests and sends rate-limit headers. */
class Service {
  readonly served: number[];
  readonly refused: number[];
  most = 0;
  #inFlight = 0;
  readonly #limit: number;
  readonly #reset = Math.floor(Date.now() / 1000) + 3600;

  constructor({ credentials, limit }: Scenario) {
    this.served = new Array(credentials).fill(0);
    this.refused = new Array(credentials).fill(0);
    this.#limit = limit;
  }

  async respond(credential: number, latency: number): Promise<Record<string, string>> {
    this.#inFlight++;
    this.most = Math.max(this.most, this.#inFlight);
    const [served = 0, refused = 0] = [this.served[credential], this.refused[credential]];
    if (served < this.#limit) this.served[credential] = served + 1;
    else this.refused[credential] = refused + 1;
    const remaining = this.#limit - (this.served[credential] ?? 0);
    await sleep(latency);
    this.#inFlight--;
    return {
      'x-ratelimit-limit': `${this.#limit}`,
      'x-ratelimit-remaining': `${remaining}`,
      'x-ratelimit-reset': `${this.#reset}`,
    };
  }
}

/** A client's limiter and lanes, and the client's last exchange with the store. */
class Member {
  readonly limiter: RateLimiter;
  readonly lanes: string[] = [];
  commands = 0;
  /** Quotas that the store reported. */
  readonly known = new Set<string>();
  #report: LimitReport | undefined;
  #state: unknown;

  constructor(store: SharedLimits, scope: string, slots: number, random: Random) {
    const exchange = async (name: string, report: LimitReport) => {
      this.commands++;
      this.#report = report;
      this.#state = 'waits to be sent';
      await sleep(random.next() * 3);
      this.#state = 'waits for a response';
      const reply = await store.exchange(name, report).catch((error: unknown) => {
        this.#state = error;
        throw error;
      });
      this.#state = reply;
      for (const [at, { known }] of reply.budgets.entries()) {
        if (known !== undefined) this.known.add(report.budgets[at]?.key ?? '');
      }
      await sleep(random.next() * 3);
      return reply;
    };
    this.limiter = new RateLimiter({
      onLimit: 'throw',
      maxWait: 0,
      maxConcurrency: slots,
      clock: Date.now,
      writeInterval: { always: 0, afterRejection: 0 },
      onWait: () => undefined,
    });
    const sharing = {
      shared: { timeout: 50_000, exchange },
      capacity: slots,
      maxConcurrency: slots,
      scope,
      now: Date.now,
      publish: () => undefined,
    };
    this.limiter.join((budgets, calls) => new FleetLimits(sharing, budgets, calls));
  }

  toString(): string {
    return [
      this.lanes.join(' '),
      `reported ${JSON.stringify(this.#report)}`,
      `received ${inspect(this.#state, { depth: 5, breakLength: Number.POSITIVE_INFINITY })}`,
    ].join('\n  ');
  }
}

/**
 * Runs all lanes. @throws {Error} with the state of all clients if no lane makes progress for a minute.
 */
export async function play(store: SharedLimits, scope: string, scenario: Scenario) {
  const { clients, lanes, calls, credentials, slots, known, seed } = scenario;
  const random = new Random(seed);
  const service = new Service(scenario);
  const members = Array.from({ length: clients }, () => new Member(store, scope, slots, random));
  const one = async ({ limiter, lanes }: Member, lane: number, credential: number) => {
    const request = {
      credential: `c${credential}`,
      operation: 'x',
      exemptFromLimits: false,
      writes: false,
    };
    lanes[lane] = `waits(${credential})`;
    const entry = await limiter.acquire(request, new Deadline([], 0));
    if (entry !== undefined && entry !== 'acquired') return false;
    lanes[lane] = `calls(${credential})`;
    limiter.release(request, await service.respond(credential, random.next() * 10));
    return true;
  };
  let steps = 0;
  const work = async (member: Member, lane: number) => {
    for (let credential = 0; credential < credentials; credential++) {
      // Each lane starts with a different credential.
      const turned = (credential + lane) % credentials;
      for (let call = 0; call < calls && (await one(member, lane, turned)); call++) steps++;
      steps++;
    }
    member.lanes[lane] = 'ended';
  };
  const [first] = members;
  if (known && first) {
    for (let each = 0; each < credentials; each++) await one(first, 0, each);
    while (first.known.size < credentials) await sleep(1);
  }
  const all = Promise.all(
    members.map(async (member) => {
      await Promise.all(Array.from({ length: lanes }, (_, lane) => work(member, lane)));
      await member.limiter.close();
    }),
  );
  const standstill = new Promise<never>((_resolve, reject) => {
    let before = -1;
    const watch = setInterval(() => {
      if (steps === before) {
        clearInterval(watch);
        reject(
          new Error(`no progress for a minute, served ${service.served}:\n${members.join('\n')}`),
        );
      }
      before = steps;
    }, 60_000);
    void all.finally(() => clearInterval(watch)).catch(() => undefined);
  });
  await Promise.race([all, standstill]);
  const outcome: Outcome = service;
  return { ...outcome, commands: members.reduce((total, { commands }) => total + commands, 0) };
}
