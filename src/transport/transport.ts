import { Readable } from 'node:stream';
import { isTriforgeError } from '../errors.js';
import type { RateLimit } from '../response-info.js';
import { onAbort } from './abort-listeners.js';
import { AnswerInfo } from './answer-info.js';
import { ConditionalCache, isCacheable } from './cache.js';
import type { ResponseHolder } from './call.js';
import { classify, limitKind } from './classify.js';
import { conclude } from './conclude.js';
import type { Authorizer } from './credentials.js';
import { publish } from './diagnostics.js';
import type { Answer } from './endpoint.js';
import type { ExchangeLimits } from './exchange.js';
import { type FailureContext, failureError, interruptionError } from './failure.js';
import { type FollowContext, type Followed, follow } from './follow.js';
import { Gate, type GateRequest } from './gate.js';
import { Interrupt } from './interrupt.js';
import type { RetrySettings, Timeouts, ValidationMode } from './options.js';
import { parseRateLimit } from './rate-limit-headers.js';
import { type Failure, headerOf, type RawResponse } from './raw-response.js';
import { scrub, showUrl, stripParameters } from './redact.js';
import { RedirectMemory } from './redirects.js';
import { refusalError } from './refusal.js';
import { describe, type RequestSpec, type Target, urlOf } from './request-spec.js';
import { decideRetry, isPossiblyExecuted, secondaryWait } from './retry.js';
import { parseHttpDate } from './retry-after.js';
import type { TransportSettings } from './settings.js';

/** One call, ready to be sent. */
export interface Job<T> {
  readonly spec: RequestSpec;
  readonly answer: Answer<T>;
  readonly authorizer: Authorizer;
  readonly signals: readonly AbortSignal[];
  readonly timeouts: Timeouts;
  readonly retry: RetrySettings;
  readonly validation: ValidationMode;
  /** Told of a good answer before it is decoded; what it returns is waited for. */
  readonly arrived?: ((response: AnswerInfo) => Promise<unknown> | undefined) | undefined;
}

/** An answer that ended the attempts. */
interface Settled {
  readonly raw: RawResponse;
  readonly response: AnswerInfo;
  readonly secrets: readonly string[];
  /** Any attempt may have been executed. */
  readonly mayHaveActed: boolean;
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
      const { raw, response, secrets, mayHaveActed } = await this.#attempts(job, interrupt);
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
      return await conclude({
        answer,
        raw,
        response,
        request,
        validation,
        reads: reads(job.spec),
        secrets,
      });
    } finally {
      interrupt.dispose();
    }
  }

  async #attempts<T>(job: Job<T>, interrupt: Interrupt): Promise<Settled> {
    const { spec, retry } = job;
    const { now, random } = this.settings;
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
        const response = this.#describeAnswer(job, followed, raw, attempt);
        return { raw, response, secrets, mayHaveActed };
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
          const response = this.#describeAnswer(job, followed, outcome, attempt);
          return { raw: outcome, response, secrets, mayHaveActed };
        }
        throw this.#failed(job, followed, interrupt, mayHaveActed);
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
      if (interrupt.interruption) throw this.#failed(job, followed, interrupt, mayHaveActed);
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
    const [signal] = job.signals;
    if (interrupt.interruption) throw this.#interrupted(job, interrupt, mayHaveActed);
    const given = authorizer.credentials(spec.auth, signal);
    let credentials = given instanceof Promise ? await interrupt.until(given) : given;
    if (interrupt.interruption) throw this.#interrupted(job, interrupt, mayHaveActed);
    const gateRequest: GateRequest = {
      credential: credentials?.fingerprint ?? '',
      operation: spec.operation,
      uncounted: spec.uncounted,
    };
    const entering = this.#gate.enter(gateRequest, interrupt);
    const entry = entering && (await entering);
    if (entry === 'interrupted') throw this.#interrupted(job, interrupt, mayHaveActed);
    if (entry !== undefined && entry !== 'admitted') {
      throw refusalError(entry, spec, authorizer.queryNames, mayHaveActed);
    }
    let startedAt = 0;
    let followed: Followed | undefined;
    try {
      // It may have been a long wait: a rotated credential is asked for anew.
      if (entry === 'admitted') {
        const again = authorizer.credentials(spec.auth, signal);
        credentials = again instanceof Promise ? await interrupt.until(again) : again;
      }
      const secrets = credentials?.secrets ?? [];
      startedAt = performance.now();
      publish('triforge:request:start', () => ({ request: describe(spec, secrets), attempt }));
      const limits = this.#limits(job, secrets);
      const send = (each: RequestSpec) =>
        follow(this.#context, each, authorizer, credentials, limits, interrupt, signal);
      followed =
        this.#cache && job.answer.kind === 'json' && isCacheable(spec)
          ? await this.#cache.follow(spec, credentials?.fingerprint ?? '', send)
          : await send(spec);
    } catch (error) {
      // A redirect that is refused, a source that can't be opened: what was begun is told to have ended.
      if (startedAt > 0) this.#reportThrown(job, error, credentials?.secrets, attempt, startedAt);
      throw error;
    } finally {
      const outcome = followed?.outcome;
      this.#gate.leave(
        gateRequest,
        outcome && !outcome.failed && followed?.trusted ? outcome.headers : undefined,
        credentials?.fingerprint ?? '',
      );
    }
    this.#report(job, followed, attempt, startedAt);
    return followed;
  }

  #limits<T>(job: Job<T>, secrets: readonly string[]): ExchangeLimits {
    const streamError = (failure: Failure) =>
      failureError(failure, this.#failureContext(job, true, secrets));
    return {
      headersTimeout: job.timeouts.headers,
      bodyTimeout: job.timeouts.body,
      maxBytes: this.settings.maxResponseBytes,
      stream: job.answer.kind === 'stream' ? streamError : undefined,
    };
  }

  #report<T>(job: Job<T>, followed: Followed, attempt: number, startedAt: number): void {
    const { outcome, secrets, target } = followed;
    const facts = () => ({
      request: describe(job.spec, secrets, target),
      attempt,
      duration: performance.now() - startedAt,
    });
    if (outcome.failed) {
      publish('triforge:request:error', () => ({ ...facts(), kind: outcome.kind }));
    } else {
      // On the wire it was a 304.
      const status = followed.fromCache ? 304 : outcome.status;
      publish('triforge:request:end', () => ({ ...facts(), status }));
      if (followed.fromCache) publish('triforge:cache:hit', () => ({ request: facts().request }));
    }
  }

  #reportThrown<T>(
    job: Job<T>,
    error: unknown,
    secrets: readonly string[] | undefined,
    attempt: number,
    startedAt: number,
  ): void {
    publish('triforge:request:error', () => ({
      request: describe(job.spec, secrets),
      attempt,
      duration: performance.now() - startedAt,
      kind: isTriforgeError(error) ? error.code : 'unknown',
    }));
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

  #describeAnswer<T>(
    job: Job<T>,
    followed: Followed,
    raw: RawResponse,
    attempts: number,
  ): AnswerInfo {
    const { target, trusted, secrets } = followed;
    const { queryNames } = job.authorizer;
    return new AnswerInfo({
      status: raw.status,
      statusText: raw.statusText,
      headers: raw.headers,
      // A foreign URL may be signed: its query is masked.
      url: () =>
        trusted
          ? scrub(stripParameters(urlOf(target), queryNames), job.spec.secrets)
          : showUrl(urlOf(target), secrets),
      fromCache: followed.fromCache === true,
      attempts,
      credentialNames: queryNames,
      secrets,
    });
  }

  #failed<T>(
    job: Job<T>,
    followed: Followed,
    interrupt: Interrupt,
    mayHaveActed: boolean,
  ): unknown {
    const { outcome, secrets, target } = followed;
    if (interrupt.interruption) return this.#interrupted(job, interrupt, mayHaveActed, secrets);
    if (!outcome.failed) return new TypeError('an answer is no failure');
    return failureError(outcome, this.#failureContext(job, mayHaveActed, secrets, target));
  }

  #interrupted<T>(
    job: Job<T>,
    interrupt: Interrupt,
    mayHaveActed: boolean,
    secrets: readonly string[] = [],
  ): unknown {
    const interruption = interrupt.interruption;
    if (!interruption) return new TypeError('nothing interrupted the call');
    return interruptionError(interruption, this.#failureContext(job, mayHaveActed, secrets));
  }

  #failureContext<T>(
    job: Job<T>,
    mayHaveActed: boolean,
    secrets: readonly string[],
    target?: Target,
  ): FailureContext {
    return {
      request: describe(job.spec, secrets, target),
      timeouts: job.timeouts,
      maxBytes: this.settings.maxResponseBytes,
      mayHaveActed,
      reads: reads(job.spec),
      secrets,
    };
  }
}

function reads(spec: RequestSpec): boolean {
  return spec.method === 'GET' || spec.method === 'HEAD';
}

/** The caller's signals still end a stream that has been handed out. */
function keepAborting(stream: Readable, signals: readonly AbortSignal[]): void {
  for (const signal of signals) {
    const abort = () => {
      const { reason } = signal;
      // `as`: a stream fails with whatever it is destroyed with, but takes nothing for no failure.
      stream.destroy(reason ? (reason as Error) : new Error(String(reason)));
    };
    if (signal.aborted) {
      abort();
      return;
    }
    stream.once('close', onAbort(signal, abort));
  }
}
