import { ApplianceConfigurationError, TimeoutError } from '../errors/index.js';
import { forOneCall, optionNames } from '../option-names.js';
import { isError } from '../schema/unknown-values.js';
import { showText } from '../transport/http/redact.js';
import { numberOf } from '../transport/options.js';
import { Belief } from './belief.js';
import type { ConfigurationStatus } from './models/index.js';
import { judge, passes, type Verdict } from './verdict.js';
import type { Limits, WaitClock, WaitSource } from './wait-source.js';

/** How long, and how often, `waitForConfiguration` asks. Times in milliseconds. */
export interface WaitOptions {
  /** Ends the wait, which rejects with the signal's own reason. Default none. */
  readonly signal?: AbortSignal | undefined;
  /** From one answer to the next question. Default 5000 ms. */
  readonly interval?: number | undefined;
  /** The whole wait, restarts included, counted from the call. Default 1800000 ms (30 minutes); `false`: no limit. */
  readonly timeout?: number | false | undefined;
  /**
   * How long the end of a former run may still stand before it is taken for the end of this one.
   * Counted anew when the appliance does not answer. Default 60000 ms.
   */
  readonly gracePeriod?: number | undefined;
  /**
   * `configuration_run_count` of the settings, read before the run was started: the run has ended
   * when it is higher. Default: as it stands when an end is first read.
   */
  readonly runCount?: number | undefined;
}

/** The names of {@link WaitOptions}. */
export const waitNames = optionNames<WaitOptions>()('signal interval timeout gracePeriod runCount');

/** What one question brought. */
interface Reading {
  readonly status?: ConfigurationStatus;
  readonly verdict?: Verdict;
  readonly trouble?: unknown;
}

/** How a run ended. */
type End = { readonly status: ConfigurationStatus; readonly error: unknown };

/**
 * A configuration run that is waited for. Nothing is asked before it is iterated or `done()` is called.
 * It is no promise: an async function can return it.
 *
 * ```ts
 * for await (const { status, progress } of console_.waitForConfiguration()) show(status, progress);
 * await console_.waitForConfiguration().done();
 * ```
 */
export class ConfigurationRun implements AsyncIterable<ConfigurationStatus> {
  readonly #source: WaitSource;
  readonly #options: WaitOptions;
  readonly #clock: WaitClock;
  readonly #startedAt: number;
  #end: End | undefined;

  constructor(source: WaitSource, options: WaitOptions, clock: WaitClock) {
    this.#source = source;
    this.#options = options;
    this.#clock = clock;
    this.#startedAt = clock.now();
  }

  /**
   * Every status of this run that differs from the one before, its end included. Leaving the loop
   * stops asking; the run itself goes on.
   */
  [Symbol.asyncIterator](): AsyncGenerator<ConfigurationStatus, undefined> {
    const stop = new AbortController();
    const statuses = this.#statuses(stop);
    const leave = statuses.return.bind(statuses);
    // A generator looks at `return` only when it is resumed: what it waits for must end first.
    return Object.assign(statuses, {
      return(value?: undefined) {
        stop.abort(abandoned);
        return leave(value);
      },
    });
  }

  /**
   * Waits for the end, and gives the last status.
   * @throws {ApplianceConfigurationError} a step FAILED.
   * @throws {TimeoutError} no end within `timeout`.
   */
  async done(): Promise<ConfigurationStatus> {
    for await (const _ of this) {
      // Only the end counts.
    }
    if (!this.#end) throw new TypeError('the statuses ended without an end');
    return this.#end.status;
  }

  async *#statuses(stop: AbortController): AsyncGenerator<ConfigurationStatus, undefined> {
    const { signal: users } = this.#options;
    // Not a listener: Node warns of a leak if more than ten runs share a signal.
    const signal = users ? AbortSignal.any([users, stop.signal]) : stop.signal;
    try {
      if (this.#end) yield this.#end.status;
      else yield* this.#poll(signal);
      if (this.#end?.error !== undefined) throw this.#end.error;
    } catch (error) {
      if (signal.reason !== abandoned) throw error;
    }
    return undefined;
  }

  async *#poll(signal: AbortSignal): AsyncGenerator<ConfigurationStatus, undefined> {
    const { interval, timeout, gracePeriod } = forOneCall(() => resolveWait(this.#options));
    const deadline = this.#startedAt + timeout;
    const belief = new Belief(this.#source, this.#clock, gracePeriod, this.#options.runCount);
    let shown: ConfigurationStatus | undefined;
    let trouble: unknown;
    for (;;) {
      signal.throwIfAborted();
      const limits = { signal, left: deadline - this.#clock.now() };
      if (limits.left <= 0) throw this.#timedOut(timeout, shown, trouble);
      const reading = await this.#read(belief, limits);
      trouble = reading.trouble;
      const { status, verdict } = reading;
      if (status && verdict) {
        if (verdict.kind === 'succeeded') this.#end = { status, error: undefined };
        if (verdict.kind === 'failed') this.#end = { status, error: failure(verdict, status) };
        if (JSON.stringify(shown) !== JSON.stringify(status)) yield status;
        shown = status;
        if (this.#end) return undefined;
      }
      const pause = Math.min(interval, Math.max(0, deadline - this.#clock.now()));
      await this.#clock.sleep(pause, signal);
    }
  }

  /** One question; no status where there is none of this run. */
  async #read(belief: Belief, limits: Limits): Promise<Reading> {
    try {
      const status = await this.#source.status(limits);
      if (!status) {
        belief.interrupted();
        return {};
      }
      const verdict = judge(status);
      return (await belief.accepts(status, verdict, limits)) ? { status, verdict } : {};
    } catch (error) {
      limits.signal.throwIfAborted();
      if (!passes(error)) throw error;
      belief.interrupted();
      return { trouble: error };
    }
  }

  #timedOut(
    timeout: number,
    shown: ConfigurationStatus | undefined,
    trouble: unknown,
  ): TimeoutError {
    const { request } = this.#source;
    const step = shown?.progress?.find((each) => each.status === 'CONFIGURING')?.key;
    const last = [shown?.status ?? 'none of this run', step && `at step '${step}'`];
    const note = isError(trouble) ? `; the appliance: ${trouble.message}` : '';
    return new TimeoutError(
      `waitForConfiguration: no end within ${timeout} ms; last status: ${showText(last.filter(Boolean).join(' '), [])}${note} [${request.method} ${request.url}]`,
      {
        request,
        reason: 'total',
        mayHaveActed: false,
        ...(trouble === undefined ? undefined : { cause: trouble }),
      },
    );
  }
}

/** The consumer has left the loop: nothing is to be said of what that stops. */
const abandoned = new Error('the loop was left');

function resolveWait(options: WaitOptions) {
  const { timeout } = options;
  return {
    interval: numberOf('interval', options.interval, 5_000, 1),
    timeout:
      timeout === false
        ? Number.POSITIVE_INFINITY
        : numberOf('timeout', timeout, 30 * 60_000, 1, Number.MAX_SAFE_INTEGER),
    gracePeriod: numberOf('gracePeriod', options.gracePeriod, 60_000, 0),
  };
}

function failure(
  verdict: Extract<Verdict, { kind: 'failed' }>,
  status: ConfigurationStatus,
): ApplianceConfigurationError {
  const step = verdict.step ?? '';
  const what = verdict.step === undefined ? 'the run' : `step '${showText(verdict.step, [])}'`;
  const word = showText(status.status, []);
  return new ApplianceConfigurationError(
    `waitForConfiguration: ${what} failed (status '${word}')`,
    { step, status },
  );
}
