import { forOneCall } from '../option-names.js';
import type { RateLimit } from '../response-info.js';
import { decideNext, renewOutsideLimits, reportRetry } from './after-refusal.js';
import {
  failedError,
  interruptedError,
  notSentError,
  refusedError,
  type SettledCall,
  streamErrors,
  untilInterrupted,
} from './call-errors.js';
import { Deadline, InFlight } from './dispatch/deadline.js';
import type { ExchangeLimits } from './dispatch/exchange.js';
import { ResponseStream } from './dispatch/response-stream.js';
import type { RawResponse } from './http/raw-response.js';
import { openStores } from './open-stores.js';
import { type CloseOptions, resolveGracePeriod } from './options.js';
import type { AdmissionRequest } from './policy/budgets.js';
import type { ConditionalCache } from './policy/cache.js';
import { RateLimiter } from './policy/rate-limiter.js';
import {
  type FollowContext,
  type FollowedResponse,
  follow,
  RedirectMemory,
} from './policy/redirects.js';
import { isDoneBefore, isPossiblyExecuted } from './policy/retry.js';
import type { PreparedCall } from './prepared-call.js';
import type { Authorizer, Credentials } from './request/credentials.js';
import { type AttemptFacts, reportEnd, reportThrown } from './request/diagnostics.js';
import { isPlainHttp } from './request/named-url.js';
import { describe, isCacheable, type RequestSpec, reads } from './request/request-spec.js';
import { type Answered, answerInfoOf } from './response/answer-info.js';
import { parseResponse } from './response/parse-response.js';
import type { TransportSettings } from './settings.js';

/** A response that ended the attempts. */
interface FinalResponse extends SettledCall, Pick<FollowedResponse, 'keep'> {}

/** After a longer wait for the limiter, in ms, credentials that need a while are asked for anew. */
const longWait = 1000;

/** What one client shares among all its calls: sockets, remembered redirects, the limiter. */
export class Transport {
  readonly #context: FollowContext;
  readonly #limiter: RateLimiter;
  #cache: ConditionalCache | undefined;
  #isOpen: boolean;
  #opening: Promise<ConditionalCache | undefined> | undefined;
  #closing: Promise<void> | undefined;
  readonly inFlight = new InFlight();

  constructor(readonly settings: TransportSettings) {
    this.#context = {
      dispatchers: settings.dispatchers,
      memory: new RedirectMemory(),
      maxRedirects: settings.maxRedirects,
      userAgent: settings.userAgent,
      publish: settings.publish,
      isTrusted: (origin) => settings.trustedOrigins.has(origin),
      secrets: settings.secrets,
      plainOrigins: new Set([...settings.trustedOrigins].filter(isPlainHttp)),
    };
    this.#isOpen = !settings.cache && !settings.shared;
    this.#limiter = new RateLimiter({
      onLimit: settings.onLimit,
      maxWait: settings.maxWait,
      maxConcurrency: settings.maxConcurrency,
      clock: settings.clock,
      onWait: (delay, { operation }) =>
        settings.publish('triforge:wait', () => ({ operation, delay })),
    });
  }

  /** The budget of a credential, as the last answers told. */
  rateLimit(fingerprint: string): RateLimit | undefined {
    return this.#limiter.rateLimit(this.#identify(fingerprint));
  }

  /** Key of budgets and cached responses. */
  #identify(fingerprint = ''): string {
    const { certificate } = this.settings;
    return certificate === '' ? fingerprint : `${fingerprint}.${certificate}`;
  }

  /** Lets calls in flight finish for a while, then ends what this client created. */
  async close(options?: CloseOptions): Promise<void> {
    const ended = this.inFlight.close(forOneCall(() => resolveGracePeriod(options)));
    this.#closing ??= ended.then(async () => {
      await this.settings.dispatchers.close();
      await Promise.all([this.#limiter.close(), this.#cache?.close()]);
    });
    await this.#closing;
  }

  /**
   * The pipeline: attempts, each of which asks for a place in the rate limit, authorizes, dispatches and
   * follows redirects; then errors are classified, the body is decoded and validated.
   */
  async perform<T>(call: PreparedCall<T>): Promise<Answered<T>> {
    let prepared = call;
    let { spec } = call;
    const deadline = new Deadline(prepared.signals, prepared.timeouts.total);
    let keep: FollowedResponse['keep'];
    this.inFlight.begin(deadline, spec.isPart === true);
    try {
      if (!this.#isOpen) {
        this.#opening ??= openStores(this.settings, this.#limiter);
        this.#cache = await this.#opening;
        this.#isOpen = true;
      }
      if (spec.read) {
        const read = await untilInterrupted(call, deadline, spec.secrets, spec.read(), false);
        spec = { ...spec, ...read };
        prepared = { ...call, spec };
      }
      const settled = await this.#attempts(prepared, deadline);
      keep = settled.keep;
      const { raw, response, secrets } = settled;
      const { answer } = call;
      call.isDecoded = true;
      const missing =
        raw.status === 404 && (answer.kind === 'membership' || answer.absent === true);
      if ((raw.status < 200 || raw.status > 299) && !missing) {
        throw refusedError(prepared, settled, this.settings);
      }
      if (raw.body instanceof ResponseStream) raw.body.handOut(prepared.signals, this.inFlight);
      const arriving = prepared.arrived?.(response);
      if (arriving) await arriving;
      const parsed = parseResponse({
        answer,
        raw,
        response,
        request: () => describe(spec, secrets),
        validation: call.validation,
        secrets,
        publish: this.settings.publish,
        reads: reads(spec),
      });
      const isPending = parsed instanceof Promise;
      const data = isPending ? await untilInterrupted(prepared, deadline, secrets, parsed) : parsed;
      void keep?.(true);
      keep = undefined;
      return { data, response };
    } finally {
      void keep?.(false);
      this.inFlight.end(deadline);
    }
  }

  async #attempts<T>(prepared: PreparedCall<T>, deadline: Deadline): Promise<FinalResponse> {
    const { spec } = prepared;
    const { settings } = this;
    let mayHaveActed = false;
    const failed = (followed: FollowedResponse, attempts: number) => {
      const proxy = settings.dispatchers.proxyOf(followed.target.origin);
      const { maxResponseBytes: maxBytes } = settings;
      return failedError(prepared, followed, deadline, { mayHaveActed, maxBytes, attempts, proxy });
    };
    const tries = { failures: 0, staleSockets: 0 };
    let earlier: readonly string[] = [];
    for (let attempt = 1; ; attempt++) {
      const followed: FollowedResponse = await this.#attempt(
        prepared,
        deadline,
        attempt,
        mayHaveActed,
        earlier,
      );
      const { outcome, secrets, sentOtp } = followed;
      earlier = secrets;
      const ended = (raw: RawResponse): FinalResponse => {
        const response = answerInfoOf(followed, raw, attempt, prepared.authorizer.queryNames);
        return { raw, response, secrets, mayHaveActed, sentOtp, keep: followed.keep };
      };
      mayHaveActed ||= followed.executed;
      if (!outcome.failed && outcome.status < 400) return ended(outcome);
      mayHaveActed ||= isPossiblyExecuted(outcome);
      tries.failures++;
      const { decision, counts } = decideNext(prepared, followed, this.#limiter, tries, settings);
      const waitsTooLong = counts && decision && decision.delay >= deadline.timeLeft;
      if (decision === undefined || waitsTooLong || deadline.interruption) {
        if (outcome.failed || deadline.interruption) throw failed(followed, attempt);
        const alreadyDone = attempt > 1 && mayHaveActed && isDoneBefore(spec.method, outcome);
        return ended(alreadyDone ? { ...outcome, status: 204 } : outcome);
      }
      if (decision.free) {
        tries.failures--;
        tries.staleSockets++;
      }
      reportRetry(settings.publish, spec, followed, attempt, decision.delay);
      if (decision.waits === 'call') await deadline.sleep(decision.delay, counts);
      if (deadline.interruption) throw failed(followed, attempt);
    }
  }

  /** One attempt: let in by the limiter, authorized, dispatched, followed over its redirects. */
  async #attempt<T>(
    prepared: PreparedCall<T>,
    deadline: Deadline,
    attempt: number,
    mayHaveActed: boolean,
    earlierSecrets: readonly string[],
  ): Promise<FollowedResponse> {
    const { spec, authorizer } = prepared;
    const { clock, maxResponseBytes: maxBytes, publish } = this.settings;
    const [signal] = prepared.signals;
    const ask = () => {
      try {
        return authorizer.credentials(spec.auth, signal);
      } catch (error) {
        return Promise.reject(error);
      }
    };
    const stopped = (isQueued?: boolean) =>
      interruptedError(prepared, deadline, { mayHaveActed, maxBytes, isQueued });
    if (deadline.interruption) throw stopped();
    let given = ask();
    let credentials: Credentials | undefined;
    let admission: AdmissionRequest;
    for (;;) {
      credentials = given instanceof Promise ? await deadline.until(given) : given;
      if (deadline.interruption) throw stopped();
      admission = {
        credential: this.#identify(credentials?.fingerprint),
        operation: spec.operation,
        uncounted: spec.uncounted,
        isAhead: prepared.isAhead,
      };
      const entering = this.#limiter.enter(admission, deadline);
      if (!entering) break;
      const cameAt = clock();
      const entry = await entering;
      if (entry === 'interrupted') throw stopped(true);
      if (entry !== 'admitted') throw notSentError(prepared, entry, this.settings, mayHaveActed);
      if (given instanceof Promise && clock() - cameAt < longWait) break;
      // Requests a rotated credential again.
      given = ask();
      if (!(given instanceof Promise)) {
        credentials = given;
        break;
      }
      // Without a slot: who gives it may make a call for it.
      this.#limiter.leave(admission, undefined);
    }
    const renew: Authorizer['renew'] = (...refused) =>
      renewOutsideLimits(
        prepared,
        admission,
        this.#limiter,
        this.settings,
        deadline,
        mayHaveActed,
        refused,
      );
    const secrets = [...(credentials?.secrets ?? []), ...earlierSecrets];
    const begun: AttemptFacts = { spec, attempt, startedAt: performance.now(), publish };
    let followed: FollowedResponse | undefined;
    try {
      publish('triforge:request:start', () => ({ request: describe(spec, secrets), attempt }));
      const limits = exchangeLimits(prepared, this.settings, secrets);
      const send = (each: RequestSpec, known = earlierSecrets) => {
        const { queryNames } = authorizer;
        const renewing = { queryNames, earlierSecrets: known, ...(authorizer.renew && { renew }) };
        return follow(this.#context, each, renewing, credentials, limits, deadline, signal);
      };
      followed =
        this.#cache && prepared.answer.kind === 'json' && isCacheable(spec, this.settings.secrets)
          ? await this.#cache.follow(spec, this.#identify(credentials?.fingerprint), deadline, send)
          : await send(spec);
    } catch (error) {
      // A redirect that is refused, a source that can't be opened: what was begun is told to have ended.
      reportThrown(begun, error, secrets);
      throw error;
    } finally {
      const answer = followed?.trusted ? followed.outcome : undefined;
      const headers = answer?.failed === false ? answer.headers : undefined;
      this.#limiter.leave(admission, headers, this.#identify(credentials?.fingerprint));
    }
    reportEnd(begun, followed);
    return followed;
  }
}

/** Limits of one attempt of a call, and the form of its body. */
function exchangeLimits<T>(
  prepared: PreparedCall<T>,
  { maxResponseBytes: maxBytes, ownsDispatcher }: TransportSettings,
  secrets: readonly string[],
): ExchangeLimits {
  return {
    headersTimeout: prepared.timeouts.headers,
    recycles: ownsDispatcher,
    bodyTimeout: prepared.timeouts.body,
    maxBytes,
    stream:
      prepared.answer.kind === 'stream' ? streamErrors(prepared, maxBytes, secrets) : undefined,
  };
}
