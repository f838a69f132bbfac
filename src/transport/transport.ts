import { Readable } from 'node:stream';
import type { RateLimit } from '../response-info.js';
import type { AnswerInfo } from './answer-info.js';
import { type AttemptFacts, reportEnd, reportThrown } from './attempt-events.js';
import { ConditionalCache, isCacheable } from './cache.js';
import type { ResponseHolder } from './call.js';
import { classify, limitKind } from './classify.js';
import { conclude } from './conclude.js';
import { publish } from './diagnostics.js';
import type { ExchangeLimits } from './exchange.js';
import { failureError } from './failure.js';
import { type FollowContext, type Followed, follow } from './follow.js';
import { Gate, type GateRequest } from './gate.js';
import { Interrupt } from './interrupt.js';
import { type Job, reads } from './job.js';
import { answerOf, failedError, failureContext, interruptedError } from './outcome.js';
import { parseRateLimit } from './rate-limit-headers.js';
import { type Failure, headerOf, type RawResponse } from './raw-response.js';
import { RedirectMemory } from './redirects.js';
import { refusalError } from './refusal.js';
import { describe, type RequestSpec } from './request-spec.js';
import { keepAborting } from './response-stream.js';
import { decideRetry, isPossiblyExecuted, secondaryWait } from './retry.js';
import { parseHttpDate } from './retry-after.js';
import type { TransportSettings } from './settings.js';

/** An answer that ended the attempts. */
interface Settled {
  readonly raw: RawResponse;
  readonly response: AnswerInfo;
  readonly secrets: readonly string[];
  /** Any attempt may have been executed. */
  readonly mayHaveActed: boolean;
  /** See {@link Followed}. */
  readonly keep: (() => void) | undefined;
}

/** What one client shares among all its calls: sockets, remembered redirects, the gate. */
export class Transport {
  readonly settings: TransportSettings;
  readonly #context: FollowContext;
  readonly #gate: Gate;
  readonly #cache: ConditionalCache | undefined;
  #closing: Promise<void> | undefined;

  constructor(settings: TransportSettings) {
    this.settings = settings;
    this.#context = {
      dispatcher: settings.dispatcher,
      memory: new RedirectMemory(),
      maxRedirects: settings.maxRedirects,
      userAgent: settings.userAgent,
      isTrusted: (origin) => settings.trustedOrigins.has(origin),
    };
    this.#cache = settings.cache && new ConditionalCache(settings.cache);
    this.#gate = new Gate({
      onLimit: settings.onLimit,
      maxWait: settings.maxWait,
      maxConcurrency: settings.maxConcurrency,
      now: settings.now,
      onWait: (delay, { operation }) => publish('triforge:wait', () => ({ operation, delay })),
    });
  }

  /** The budget of a credential, as the last answers told. */
  rateLimit(fingerprint: string): RateLimit | undefined {
    return this.#gate.rateLimit(fingerprint);
  }

  /** Ends what this client created; a dispatcher of the caller's stays open. Closing twice is closing once. */
  close(): Promise<void> {
    const { ownsDispatcher, dispatcher } = this.settings;
    this.#closing ??= ownsDispatcher ? dispatcher.close() : Promise.resolve();
    return this.#closing;
  }

  /**
   * The pipeline: attempts (each: rate-limit budget → authorize → dispatch → follow redirects) ↺ retry
   * → classify errors → decode → validate → result.
   */
  async perform<T>(job: Job<T>, holder: ResponseHolder): Promise<T> {
    const interrupt = new Interrupt(job.signals, job.timeouts.total);
    try {
      const settled = await this.#attempts(job, interrupt);
      const { raw, response, secrets, mayHaveActed } = settled;
      holder.response = response;
      const request = () => describe(job.spec, secrets);
      const missing =
        raw.status === 404 && (job.answer.kind === 'membership' || job.answer.absent === true);
      if ((raw.status < 200 || raw.status > 299) && !missing) {
        const body = raw.body instanceof Buffer ? raw.body : Buffer.alloc(0);
        const now = this.settings.now();
        throw classify(
          { ...raw, body },
          {
            request: request(),
            response,
            secrets,
            now,
            mayHaveActed,
            authNote: job.authorizer.refusalNote,
          },
        );
      }
      if (raw.body instanceof Readable) keepAborting(raw.body, job.signals);
      const { answer, validation } = job;
      const arriving = job.arrived?.(response);
      if (arriving) await arriving;
      const concluded = conclude({
        answer,
        raw,
        response,
        request,
        validation,
        reads: reads(job.spec),
        secrets,
      });
      const result = concluded instanceof Promise ? await concluded : concluded;
      settled.keep?.();
      return result;
    } finally {
      interrupt.dispose();
    }
  }

  async #attempts<T>(job: Job<T>, interrupt: Interrupt): Promise<Settled> {
    const { spec, retry } = job;
    const { now, random, maxResponseBytes: maxBytes } = this.settings;
    let mayHaveActed = false;
    let failures = 0;
    let staleSockets = 0;
    for (let attempt = 1; ; attempt++) {
      const followed: Followed = await this.#attempt(job, interrupt, attempt, mayHaveActed);
      const { outcome, secrets } = followed;
      mayHaveActed ||= followed.done || isPossiblyExecuted(outcome, now());
      // A stranger's limits are not this service's.
      const limited = outcome.failed || !followed.trusted ? undefined : limitKind(outcome);
      if (!outcome.failed && limited === undefined && outcome.status < 500) {
        // What a repeated DELETE no longer finds, the first one deleted.
        const gone =
          outcome.status === 404 && spec.method === 'DELETE' && attempt > 1 && mayHaveActed;
        const raw = gone ? { ...outcome, status: 204 } : outcome;
        const response = answerOf(job, followed, raw, attempt);
        return { raw, response, secrets, mayHaveActed, keep: followed.keep };
      }
      if (limited === 'secondary' && !outcome.failed) {
        this.#gate.pauseUntil(now() + secondaryWait(outcome, now()));
      }
      failures++;
      const body = spec.body;
      const decision = decideRetry(
        {
          outcome,
          method: spec.method,
          replayable: spec.replayable,
          done: followed.done,
          bodyReplayable: body?.kind !== 'stream' || body.replayable,
          limited,
          window: limited === 'primary' && !outcome.failed ? this.#window(outcome) : undefined,
          failures,
          staleSockets,
          now: now(),
          random: random(),
        },
        retry,
      );
      const waitsTooLong = decision?.waits === 'call' && decision.delay >= interrupt.timeLeft;
      if (decision === undefined || waitsTooLong || interrupt.interruption) {
        if (!outcome.failed) {
          const response = answerOf(job, followed, outcome, attempt);
          return { raw: outcome, response, secrets, mayHaveActed, keep: undefined };
        }
        throw failedError(job, followed, interrupt, { mayHaveActed, maxBytes });
      }
      if (decision.free) {
        failures--;
        staleSockets++;
      }
      publish('triforge:retry', () => ({
        request: describe(spec, secrets),
        attempt,
        delay: decision.delay,
        reason: outcome.failed ? outcome.kind : String(outcome.status),
      }));
      if (decision.waits === 'call' && decision.delay > 0) await interrupt.sleep(decision.delay);
      if (interrupt.interruption)
        throw failedError(job, followed, interrupt, { mayHaveActed, maxBytes });
    }
  }

  /** One attempt: let in by the gate, authorized, dispatched, followed over its redirects. */
  async #attempt<T>(
    job: Job<T>,
    interrupt: Interrupt,
    attempt: number,
    mayHaveActed: boolean,
  ): Promise<Followed> {
    const { spec, authorizer } = job;
    const maxBytes = this.settings.maxResponseBytes;
    const [signal] = job.signals;
    if (interrupt.interruption) throw interruptedError(job, interrupt, { mayHaveActed, maxBytes });
    const given = authorizer.credentials(spec.auth, signal);
    let credentials = given instanceof Promise ? await interrupt.until(given) : given;
    if (interrupt.interruption) throw interruptedError(job, interrupt, { mayHaveActed, maxBytes });
    const gateRequest: GateRequest = {
      credential: credentials?.fingerprint ?? '',
      operation: spec.operation,
      uncounted: spec.uncounted,
    };
    const entering = this.#gate.enter(gateRequest, interrupt);
    const entry = entering && (await entering);
    if (entry === 'interrupted') throw interruptedError(job, interrupt, { mayHaveActed, maxBytes });
    if (entry !== undefined && entry !== 'admitted') {
      throw refusalError(entry, spec, authorizer.queryNames, mayHaveActed);
    }
    let begun: AttemptFacts | undefined;
    let followed: Followed | undefined;
    try {
      // It may have been a long wait: a rotated credential is asked for anew.
      if (entry === 'admitted') {
        const again = authorizer.credentials(spec.auth, signal);
        credentials = again instanceof Promise ? await interrupt.until(again) : again;
      }
      const secrets = credentials?.secrets ?? [];
      begun = { spec, attempt, startedAt: performance.now() };
      publish('triforge:request:start', () => ({ request: describe(spec, secrets), attempt }));
      const limits = this.#limits(job, secrets);
      const send = (each: RequestSpec) =>
        follow(this.#context, each, authorizer, credentials, limits, interrupt, signal);
      followed =
        this.#cache && job.answer.kind === 'json' && isCacheable(spec)
          ? await this.#cache.follow(spec, credentials?.fingerprint ?? '', interrupt, send)
          : await send(spec);
    } catch (error) {
      // A redirect that is refused, a source that can't be opened: what was begun is told to have ended.
      if (begun) reportThrown(begun, error, credentials?.secrets);
      throw error;
    } finally {
      const answer = followed?.trusted ? followed.outcome : undefined;
      const headers = answer?.failed === false ? answer.headers : undefined;
      this.#gate.leave(gateRequest, headers, credentials?.fingerprint ?? '');
    }
    reportEnd(begun, followed);
    return followed;
  }

  #limits<T>(job: Job<T>, secrets: readonly string[]): ExchangeLimits {
    const maxBytes = this.settings.maxResponseBytes;
    const streamError = (failure: Failure) =>
      failureError(failure, failureContext(job, { mayHaveActed: true, maxBytes, secrets }));
    return {
      headersTimeout: job.timeouts.headers,
      recycles: this.settings.ownsDispatcher,
      bodyTimeout: job.timeouts.body,
      maxBytes,
      stream: job.answer.kind === 'stream' ? streamError : undefined,
    };
  }

  /** How long until the hourly budget is filled again; undefined where that is not waited for. */
  #window(answer: RawResponse): number | undefined {
    const { onLimit, maxWait, now } = this.settings;
    const reset = parseRateLimit(answer.headers)?.reset;
    if (onLimit !== 'wait' || !reset) return undefined;
    const date = parseHttpDate(headerOf(answer.headers, 'date') ?? '');
    const wait = Math.max(0, reset.getTime() - (date ?? now()));
    return wait <= maxWait ? wait : undefined;
  }
}
