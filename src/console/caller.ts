import type { ResponseHolder } from '../transport/call.js';
import type { AuthOptions, Caller } from '../transport/caller.js';
import type { Job } from '../transport/job.js';
import { Transport } from '../transport/transport.js';
import type { ConsoleAuth } from './auth.js';

/** What every part of the console calls through. */
export type ConsoleCaller = Caller<ConsoleAuth>;

/** Options of one call; `auth` overrides the client's credentials. */
export type ConsoleRequestOptions = AuthOptions<ConsoleAuth>;

/**
 * A write to an appliance is sent again only if the connection was never made: a 503 with
 * `Retry-After`, which other APIs send before they act, may come from an appliance that has begun.
 */
export class ConsoleTransport extends Transport {
  override perform<T>(job: Job<T>, holder: ResponseHolder): Promise<T> {
    const { method } = job.spec;
    if (method === 'GET' || method === 'HEAD') return super.perform(job, holder);
    // Less than any wait that a server can ask for: no answer makes a write repeat.
    return super.perform({ ...job, retry: { ...job.retry, maxRetryAfter: -1 } }, holder);
  }
}
