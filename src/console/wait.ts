import { ApplianceConfigurationError, TimeoutError } from '../errors/index.js';
import { forOneCall, optionNames } from '../option-names.js';
import { isError } from '../schema/unknown-values.js';
import { showText } from '../transport/http/redact.js';
import { parseNumber } from '../transport/options.js';
import { joinSentences } from '../transport/response/sentences.js';
import type { ConfigurationStatus } from './models/index.js';
import { classifyStatus, passes, type RunState } from './run-state.js';
import { RunTracker } from './run-tracker.js';
import type { Limits, WaitClock, WaitSource } from './wait-source.js';

/** Timing of `waitForConfiguration`, in milliseconds. */
export interface WaitOptions {
  /** Signal that ends the wait, which then rejects with the signal's reason. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /** Time between a response and the next request. Default: 5000 ms. */
  readonly interval?: number | undefined;
  /**
   * Time limit of the whole wait, including restarts, measured from the call. `false` means no
   * limit. Default: 1800000 ms (30 minutes).
   */
  readonly timeout?: number | false | undefined;
  /**
   * Time after which a reported end counts as this run's end, even if it could be the previous
   * run's end. The time restarts when the appliance stops responding. Default: 60000 ms.
   */
  readonly gracePeriod?: number | undefined;
  /**
   * `configuration_run_count` in the settings before the run was started. The run has ended when
   * the count is higher. Default: the count when a status first reports that a run has ended.
   */
  readonly runCount?: number | undefined;
}

export const waitNames = optionNames<WaitOptions>()('signal interval timeout gracePeriod runCount');

/** Result of one status request. */
interface StatusReading {
  readonly status?: ConfigurationStatus;
  readonly runState?: RunState;
  readonly trouble?: unknown;
}

type RunEnd = { readonly status: ConfigurationStatus; readonly error: unknown };

/**
 * Configuration run to wait for. Sends no request until you iterate over it or call `done()`. It
 * isn't a promise, so an async function can return it without waiting.
 *
 * ```ts
 * for await (const { status } of appliance.waitForConfiguration()) console.log(status);
 * await appliance.waitForConfiguration().done();
 * ```
 */
export class ConfigurationRun implements AsyncIterable<ConfigurationStatus> {
  readonly #source: WaitSource;
  readonly #options: WaitOptions;
  readonly #clock: WaitClock;
  readonly #startedAt: number;
  #end: RunEnd | undefined;

  constructor(source: WaitSource, options: WaitOptions, clock: WaitClock) {
    this.#source = source;
    this.#options = options;
    this.#clock = clock;
    this.#startedAt = clock.now();
  }

  /**
   * Yields each status of this run that differs from the previous status, including the last
   * status. Leaving the loop stops the requests but not the run itself.
   */
  [Symbol.asyncIterator](): AsyncGenerator<ConfigurationStatus, undefined> {
    const stop = new AbortController();
    const statuses = this.#statuses(stop);
    const leave = statuses.return.bind(statuses);
    // A pending generator ignores `return` until it resumes, so its wait must be aborted first.
    return Object.assign(statuses, {
      return(value?: undefined) {
        stop.abort(abandoned);
        return leave(value);
      },
    });
  }

  /**
   * Waits for the end and returns the last status.
   * @throws {ApplianceConfigurationError} if a step fails.
   * @throws {TimeoutError} if the run doesn't end within `timeout`.
   */
  async done(): Promise<ConfigurationStatus> {
    for await (const _ of this) {
      // The loop only waits for the end, so it ignores the statuses.
    }
    if (!this.#end) throw new TypeError('the iteration ended before the configuration run ended');
    return this.#end.status;
  }

  async *#statuses(stop: AbortController): AsyncGenerator<ConfigurationStatus, undefined> {
    const { signal: users } = this.#options;
    // `AbortSignal.any` adds no listener. Node.js would warn of a leak if more than ten runs
    // listened to one signal.
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
    const { interval, timeout, gracePeriod } = forOneCall(
      () => resolveWait(this.#options),
      'waitForConfiguration',
    );
    const deadline = this.#startedAt + timeout;
    const belief = new RunTracker(this.#source, this.#clock, gracePeriod, this.#options.runCount);
    let shown: ConfigurationStatus | undefined;
    let trouble: unknown;
    for (;;) {
      signal.throwIfAborted();
      const limits = { signal, left: deadline - this.#clock.now() };
      if (limits.left <= 0) throw this.#timedOut(timeout, shown, trouble);
      const reading = await this.#read(belief, limits);
      trouble = reading.trouble;
      const { status, runState } = reading;
      if (status && runState) {
        if (runState.kind === 'succeeded') this.#end = { status, error: undefined };
        if (runState.kind === 'failed')
          this.#end = { status, error: createRunError(runState, status) };
        if (JSON.stringify(shown) !== JSON.stringify(status)) yield status;
        shown = status;
        if (this.#end) return undefined;
      }
      const pause = Math.min(interval, Math.max(0, deadline - this.#clock.now()));
      await this.#clock.sleep(pause, signal);
    }
  }

  /**
   * Requests the status once. Returns an empty reading if the server sends no status or the status
   * of a previous run.
   */
  async #read(belief: RunTracker, limits: Limits): Promise<StatusReading> {
    try {
      const status = await this.#source.status(limits);
      if (!status) {
        belief.interrupted();
        return {};
      }
      const runState = classifyStatus(status);
      return (await belief.accepts(status, runState, limits)) ? { status, runState } : {};
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
    const last = [shown?.status ?? 'none for this run', step && `at step '${step}'`];
    const message = joinSentences(
      `waitForConfiguration: the run did not finish within ${timeout} ms`,
      `Last status: ${showText(last.filter(Boolean).join(' '), [])}.`,
      isError(trouble) ? `Last error: ${trouble.message}.` : undefined,
    );
    return new TimeoutError(`${message} [${request.method} ${request.url}]`, {
      request,
      reason: 'total',
      mayHaveActed: false,
      ...(trouble === undefined ? undefined : { cause: trouble }),
    });
  }
}

/** Abort reason if the caller exits the loop early. Never reported. */
const abandoned = new Error('the loop was exited');

function resolveWait(options: WaitOptions) {
  const { timeout } = options;
  return {
    interval: parseNumber('interval', options.interval, 5_000, 1),
    timeout:
      timeout === false
        ? Number.POSITIVE_INFINITY
        : parseNumber('timeout', timeout, 30 * 60_000, 1, Number.MAX_SAFE_INTEGER),
    gracePeriod: parseNumber('gracePeriod', options.gracePeriod, 60_000, 0),
  };
}

function createRunError(
  runState: Extract<RunState, { kind: 'failed' }>,
  status: ConfigurationStatus,
): ApplianceConfigurationError {
  const step = runState.step ?? '';
  const what = runState.step === undefined ? 'the run' : `step '${showText(runState.step, [])}'`;
  const word = showText(status.status, []);
  return new ApplianceConfigurationError(
    `waitForConfiguration: ${what} failed (status '${word}')`,
    { step, status },
  );
}
