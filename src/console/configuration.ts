import { ApplianceConfigurationError, isTriforgeError, TimeoutError } from '../errors/index.js';
import { showText } from '../masks/secrets.js';
import { checkOptions, forOneCall, optionNames, parseNumber } from '../option-names.js';
import type { RequestInfo } from '../response-info.js';
import { getMember, isError } from '../schema/unknown-values.js';
import { defineEndpoint, json } from '../transport/request/endpoint.js';
import { flag, oneOf, optional } from '../transport/request/input.js';
import { buildRequest, describeRequest } from '../transport/request/request-spec.js';
import { joinSentences } from '../transport/response/failure.js';
import { accepted, type ConsoleApi } from './common.js';
import { ConfigurationStatus } from './models/index.js';

/** Options for `waitForConfiguration`. Times are in milliseconds. */
export interface WaitForConfiguration {
  /** Signal that ends the wait. The wait then rejects with the signal's reason. Default: none. */
  readonly signal?: AbortSignal | undefined;
  /** Time between a response and the next request. Default: 5000 ms. */
  readonly interval?: number | undefined;
  /**
   * Time limit for the whole wait, including restarts, measured from the call. `false` means no
   * limit. Default: 1800000 ms (30 minutes).
   */
  readonly timeout?: number | false | undefined;
  /**
   * Time for which the appliance must report an end before the wait ends, if no status was
   * `running`. Until then, the end could be the previous run's. The time restarts when the
   * appliance stops responding. Default: 60000 ms.
   */
  readonly gracePeriod?: number | undefined;
}

type RunEnd = { readonly status: ConfigurationStatus; readonly error: unknown };

/**
 * Configuration run to wait for. Sends no request until you iterate over it or call `done()`. The
 * run isn't a promise, so an async function can return it without waiting.
 *
 * ```ts
 * for await (const { status } of appliance.waitForConfiguration()) console.log(status);
 * await appliance.waitForConfiguration().done();
 * ```
 */
export class ConfigurationRun implements AsyncIterable<ConfigurationStatus> {
  readonly #api: ConsoleApi;
  readonly #options: WaitForConfiguration;
  readonly #startedAt = performance.now();
  #end: RunEnd | undefined;

  constructor(api: ConsoleApi, options: WaitForConfiguration) {
    this.#api = api;
    this.#options = options;
  }

  /**
   * Yields each status of this run that differs from the previous status, including the last
   * status. Leaving the loop stops the requests but not the run itself.
   */
  async *[Symbol.asyncIterator](): AsyncGenerator<ConfigurationStatus, undefined> {
    if (this.#end) yield this.#end.status;
    else yield* this.#poll();
    if (this.#end?.error !== undefined) throw this.#end.error;
    return undefined;
  }

  /**
   * Waits for the run to end and returns its last status.
   * @throws {ApplianceConfigurationError} if the run or one of its steps fails.
   * @throws {TimeoutError} if the run doesn't end within `timeout`.
   */
  async done(): Promise<ConfigurationStatus> {
    for await (const _ of this) {
      // The loop only waits for the end, so it ignores the statuses.
    }
    if (!this.#end) throw new TypeError('the iteration ended before the configuration run ended');
    return this.#end.status;
  }

  async *#poll(): AsyncGenerator<ConfigurationStatus, undefined> {
    const { signal } = this.#options;
    const { interval, timeout, gracePeriod } = forOneCall(
      () => resolveWait(this.#options),
      'waitForConfiguration',
    );
    const deadline = this.#startedAt + timeout;
    let shown: ConfigurationStatus | undefined;
    let ignored: ConfigurationStatus | undefined;
    let trouble: unknown;
    let hasRun = false;
    /** When the appliance began to report an end that may be the previous run's. */
    let endedAt: number | undefined;
    /** Steps of the previous run, as JSON. */
    let oldSteps: string | undefined;
    for (;;) {
      signal?.throwIfAborted();
      const now = performance.now();
      if (now >= deadline) throw this.#timedOut(timeout, shown, ignored, trouble);
      let status: ConfigurationStatus | undefined;
      trouble = undefined;
      try {
        status = await this.#requestStatus(signal, deadline - now);
      } catch (error) {
        signal?.throwIfAborted();
        if (!passes(error)) throw error;
        trouble = error;
      }
      const state = status && classifyStatus(status);
      const runs = state?.kind === 'running' || status?.status.toLowerCase() === 'running';
      hasRun ||= runs;
      const isEnd = state?.kind === 'succeeded' || state?.kind === 'failed';
      endedAt = isEnd ? (endedAt ?? now) : undefined;
      const steps = JSON.stringify(status?.progress);
      // A run that has just started may still report the failed steps of the previous run.
      const isOld = runs
        ? isEnd && steps === oldSteps
        : endedAt !== undefined && !hasRun && now - endedAt < gracePeriod;
      if (isOld) {
        oldSteps = steps;
        if (!runs) ignored = status;
      }
      if (status && !isOld) {
        ignored = undefined;
        if (state?.kind === 'succeeded') this.#end = { status, error: undefined };
        if (state?.kind === 'failed') {
          this.#end = { status, error: createRunError(state.step, status) };
        }
        if (JSON.stringify(shown) !== JSON.stringify(status)) yield status;
        shown = status;
        if (this.#end) return undefined;
      }
      const pause = Math.min(interval, Math.max(0, deadline - performance.now()));
      await this.#api.transport.inFlight.run(signal ? [signal] : [], (waiting) =>
        waiting.sleep(pause),
      );
    }
  }

  /**
   * Returns the status. Undefined if the response doesn't contain one.
   * @param left remaining time of the wait, in ms. Infinity if the wait has no limit.
   */
  async #requestStatus(
    signal: AbortSignal | undefined,
    left: number,
  ): Promise<ConfigurationStatus | undefined> {
    const { total } = this.#api.transport.settings.timeouts;
    const limit = Math.min(total === 0 ? Number.POSITIVE_INFINITY : total, left);
    const timeout = { total: Number.isFinite(limit) ? Math.max(1, limit) : false } as const;
    // The request isn't retried, because the polling loop repeats it.
    const options = { signal, retry: false, timeout } as const;
    const status: unknown = await this.#api.call(configCheckEndpoint, {}, options);
    return isStatus(status) ? status : undefined;
  }

  #describeRequest(): RequestInfo {
    const { credentialParameters } = this.#api.authorizer;
    const context = { ...this.#api.transport.settings, headers: [], credentialParameters };
    const endpoint = { ...configCheckEndpoint, operation: 'waitForConfiguration' };
    return describeRequest(buildRequest(endpoint, {}, context));
  }

  #timedOut(
    timeout: number,
    shown: ConfigurationStatus | undefined,
    ignored: ConfigurationStatus | undefined,
    trouble: unknown,
  ): TimeoutError {
    const request = this.#describeRequest();
    const step = shown?.progress?.find((each) => each.status === 'CONFIGURING')?.key;
    const last = [shown?.status ?? 'none for this run', step && `at step '${step}'`];
    const message = joinSentences(
      `waitForConfiguration: the run did not finish within ${timeout} ms`,
      `Last status: ${showText(last.filter(Boolean).join(' '), [])}.`,
      ignored
        ? `The appliance reported '${showText(ignored.status, [])}', which can be the end of an earlier run. Set gracePeriod to accept it sooner.`
        : undefined,
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

function resolveWait(options: WaitForConfiguration) {
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
  step: string | undefined,
  status: ConfigurationStatus,
): ApplianceConfigurationError {
  const what = step === undefined ? 'the run' : `step '${showText(step, [])}'`;
  const word = showText(status.status, []);
  return new ApplianceConfigurationError(
    `waitForConfiguration: ${what} failed (status '${word}')`,
    { step: step ?? '', status },
  );
}

/** Interpretation of a configuration status. */
type RunState =
  /** `unclear` is an unknown status that the steps don't explain. */
  | { readonly kind: 'running' | 'succeeded' | 'unclear' }
  /** `step` is the failed step's `key`. Undefined if only the status reports the failure. */
  | { readonly kind: 'failed'; readonly step: string | undefined };

/**
 * Interprets a configuration status. Only `running` is documented, but real appliances also send
 * `success`. For other statuses, the result depends on the steps and on words in the status, such
 * as `failed`.
 */
export function classifyStatus({ status, progress }: ConfigurationStatus): RunState {
  const word = status.toLowerCase();
  const steps = progress ?? [];
  const failed = steps.find((step) => step.status === 'FAILED');
  if (failed) return { kind: 'failed', step: failed.key };
  if (word === 'running') return { kind: 'running' };
  if (word === 'success') return { kind: 'succeeded' };
  if (/fail|error/.test(word)) return { kind: 'failed', step: undefined };
  if (steps.some((step) => step.status === 'PENDING' || step.status === 'CONFIGURING')) {
    return { kind: 'running' };
  }
  if (steps.length > 0 && steps.every((step) => step.status === 'DONE')) {
    return { kind: 'succeeded' };
  }
  return { kind: 'unclear' };
}

/**
 * Codes of connection failures that a restart can cause. Codes for a wrong host name or certificate
 * aren't listed, because these failures are permanent.
 */
const restarting =
  /^(?:ECONN(?:REFUSED|RESET|ABORTED)|EPIPE|ETIMEDOUT|E(?:HOST|NET)UNREACH|EHOSTDOWN|UND_ERR_(?:SOCKET|CONNECT_TIMEOUT))$/;

/**
 * Returns whether an error is temporary, for example because the appliance is restarting or has no
 * status yet.
 */
function passes(error: unknown): boolean {
  if (!isTriforgeError(error)) return false;
  switch (error.code) {
    case 'timeout':
      return true;
    case 'connection':
      return restarting.test(String(getMember(error.cause, 'code')));
    case 'server':
      return error.status === 502 || error.status === 503 || error.status === 504;
    case 'not_found':
      return true;
    case 'response_body':
      // While the appliance is down, a proxy can send an empty body or its own error page.
      return ['empty', 'truncated', 'unexpected_type'].includes(error.reason);
    case 'response_shape':
      return isEmpty(error.data);
    default:
      return false;
  }
}

function isEmpty(data: unknown): boolean {
  if (data === null || data === '') return true;
  return typeof data === 'object' && Object.keys(data).length === 0;
}

/** Input of `configure`. */
export interface Configure {
  /**
   * Whether to run the entire provisioning process, which can take 20 minutes. After an upgrade,
   * always pass `true`. After a settings change, `false` is usually enough. Default: false.
   */
  readonly complete?: boolean | undefined;
}

const waitNames = optionNames<WaitForConfiguration>()('signal interval timeout gracePeriod');

/** `GET /setup/api/configcheck` */
export const configCheckEndpoint = defineEndpoint<object>('GET /setup/api/configcheck')({
  operation: 'configCheck',
  input: {},
  response: json(ConfigurationStatus),
});

/** `POST /setup/api/configure` */
export const configureEndpoint = defineEndpoint<Configure>('POST /setup/api/configure')({
  operation: 'configure',
  input: { complete: optional(flag) },
  encoding: 'form',
  serialize: ({ complete }) => (complete === true ? { complete: '1' } : {}),
  fields: { complete: optional(oneOf('1')) },
  retry: 'unsent',
  response: accepted,
});

/**
 * Follows a configuration run.
 * @throws {InvalidRequestError} if an option is unknown.
 */
export function followConfiguration(
  api: ConsoleApi,
  options: WaitForConfiguration,
): ConfigurationRun {
  forOneCall(() => checkOptions(options, waitNames), 'waitForConfiguration');
  return new ConfigurationRun(api, options);
}

/** Returns whether a value is a status. If validation is off, the response can have any type. */
function isStatus(value: unknown): value is ConfigurationStatus {
  const progress = getMember(value, 'progress');
  return (
    typeof getMember(value, 'status') === 'string' &&
    (progress === undefined || Array.isArray(progress))
  );
}
