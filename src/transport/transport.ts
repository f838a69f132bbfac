import { forOneCall } from '../option-names.js';
import type { RateLimit } from '../response-info.js';
import { Deadline, InFlight } from './dispatch/deadline.js';
import { ResponseStream } from './dispatch/response-stream.js';
import type { RawResponse } from './http/raw-response.js';
import { openStores } from './open-stores.js';
import { type CloseOptions, resolveGracePeriod } from './options.js';
import { authenticate } from './policies/authenticate.js';
import type { ConditionalCache } from './policies/cache.js';
import {
  failedError,
  interruptedError,
  refusedError,
  untilInterrupted,
} from './policies/call-errors.js';
import { CallContext, limitKey, type PreparedCall } from './policies/context.js';
import { limitRate } from './policies/limit-rate.js';
import { ownPolicy } from './policies/own-policies.js';
import { compose, type Policy, type Send } from './policies/pipeline.js';
import { redirect } from './policies/redirect.js';
import { retry } from './policies/retry.js';
import { sendRequests } from './policies/send.js';
import { RateLimiter } from './policy/rate-limiter.js';
import { describe, reads } from './request/request-spec.js';
import { parseResponse } from './response/parse-response.js';
import {
  type CallResult,
  describeResponse,
  type ResponseDetails,
} from './response/response-details.js';
import type { TransportSettings } from './settings.js';

/** Sends the calls of one client through its policies. Calls share sockets, redirects and the limiter. */
export class Transport {
  readonly #limiter: RateLimiter;
  readonly #inner: Send;
  /** Undefined until the stores are open. */
  #send: Send | undefined;
  #opening: Promise<Send> | undefined;
  #cache: ConditionalCache | undefined;
  #closing: Promise<void> | undefined;
  readonly inFlight = new InFlight();

  constructor(readonly settings: TransportSettings) {
    const { publish } = settings;
    this.#limiter = new RateLimiter({
      onLimit: settings.onLimit,
      maxWait: settings.maxWait,
      maxConcurrency: settings.maxConcurrency,
      clock: settings.clock,
      writeInterval: settings.writeInterval,
      onWait: (delay, { operation }, reason) =>
        publish('triforge:wait', () => ({ operation, delay, reason })),
    });
    this.#inner = compose(
      [
        ...settings.policies.map((policy, index) => ownPolicy(policy, `policies[${index}]`)),
        // Inside the client's own policies: one that changes the origin gets no credentials sent there.
        redirect(settings),
      ],
      sendRequests(settings),
    );
    if (!settings.cache && !settings.shared) this.#send = this.#compose(undefined);
  }

  /** The outer policies. The first one is the outermost. */
  #compose(cacheResponses: Policy | undefined): Send {
    return compose(
      [
        retry(this.#limiter),
        authenticate(this.#limiter),
        limitRate(this.#limiter, this.settings.clock),
        // Inside limitRate, which may replace the credentials: responses belong to credentials.
        cacheResponses,
      ],
      this.#inner,
    );
  }

  #open(): Promise<Send> {
    this.#opening ??= openStores(this.settings, this.#limiter).then(({ cache, policy }) => {
      this.#cache = cache;
      this.#send = this.#compose(policy);
      return this.#send;
    });
    return this.#opening;
  }

  /** The rate-limit quota of a credential as last reported. */
  rateLimit(fingerprint: string): RateLimit | undefined {
    return this.#limiter.rateLimit(limitKey(fingerprint, this.settings.certificate));
  }

  /** When the client's pause ends, in epoch ms; in the past if it isn't paused. */
  get pausedUntil(): number {
    const { now, clock } = this.settings;
    return now() + this.#limiter.pausedUntil - clock();
  }

  /** Forgets all quotas and pauses. */
  resetLimits(): void {
    this.#limiter.reset();
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

  /** Sends a call through the policies, and decodes the response. */
  async perform<T>(call: PreparedCall<T>): Promise<CallResult<T>> {
    const deadline = new Deadline(call.signals, call.timeouts.total);
    const context = new CallContext(call, this.settings, deadline);
    this.inFlight.begin(deadline, call.spec.isPart === true);
    try {
      const send = this.#send ?? (await this.#open());
      if (call.spec.read) await untilInterrupted(context, context.readFiles());
      const raw = await send(context.request, context);
      if (raw.failed) throw failedError(context, raw);
      const response = describeResponse(context, raw);
      call.isDecoded = true;
      checkStatus(call, context, raw, response);
      if (raw.body instanceof ResponseStream) raw.body.handOut(call.signals, this.inFlight);
      const sent = call.onHeaders?.(response);
      if (sent) await sent;
      const data = this.#decode(call, context, raw, response);
      // Only the caller's own schema takes a promise.
      const result = {
        data: data instanceof Promise ? await untilInterrupted(context, data) : data,
        response,
      };
      context.settle(true);
      return result;
    } finally {
      context.settle(false);
      this.inFlight.end(deadline);
    }
  }

  #decode<T>(
    call: PreparedCall<T>,
    context: CallContext,
    raw: RawResponse,
    response: ResponseDetails,
  ): T | Promise<T> {
    const { request, secrets } = context;
    return parseResponse({
      answer: call.answer,
      raw,
      response,
      request: () => describe(request, secrets),
      validation: call.validation,
      secrets,
      publish: this.settings.publish,
      reads: reads(request),
    });
  }
}

/** @throws the error of a call whose response isn't a success. */
function checkStatus<T>(
  { answer }: PreparedCall<T>,
  context: CallContext,
  raw: RawResponse,
  response: ResponseDetails,
): void {
  const { status } = raw;
  if (status >= 400 && context.deadline.interruption) throw interruptedError(context);
  const isMissing = status === 404 && (answer.kind === 'membership' || answer.absent === true);
  if ((status < 200 || status > 299) && !isMissing) throw refusedError(context, raw, response);
  // From now on, every error is about a call that was executed.
  context.mayHaveActed = true;
}
