import { checkOptions, forOneCall, type OptionNames } from '../option-names.js';
import { getMember } from '../schema/unknown-values.js';
import { resolveTimeouts } from '../transport/options.js';
import { defineEndpoint, json } from '../transport/request/endpoint.js';
import { maxTimerDelay } from '../transport/request/event-loop.js';
import { flag, oneOf, optional } from '../transport/request/input.js';
import { buildRequest, describeRequest } from '../transport/request/request-spec.js';
import { accepted } from './accepted.js';
import type { ConsoleApi, ConsoleRequestOptions } from './common.js';
import { ConfigurationStatus } from './models/index.js';
import {
  ConfigurationRun,
  type WaitClock,
  type WaitOptions,
  type WaitSource,
  waitNames,
} from './wait.js';

/** Input of `configure`. */
export interface Configure {
  /**
   * Whether to run the entire provisioning process, which may take 20 minutes. Always set this
   * option after an upgrade. Settings changes alone normally don't require it. Default: false.
   */
  readonly complete?: boolean | undefined;
}

/** Timing options for `waitForConfiguration` and options for each of its requests. */
export interface WaitForConfiguration
  extends WaitOptions,
    Pick<ConsoleRequestOptions, 'auth' | 'headers' | 'validation'> {}

const waitCallNames: OptionNames<WaitForConfiguration> = {
  ...waitNames,
  auth: true,
  headers: true,
  validation: true,
};

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
  forOneCall(() => checkOptions(options, waitCallNames), 'waitForConfiguration');
  const { settings } = api.transport;
  // Each request is limited to the remaining time. Requests aren't retried, because the wait
  // repeats them.
  const bounded = (signal: AbortSignal, left: number): ConsoleRequestOptions => {
    const { total } = resolveTimeouts(undefined, settings.timeouts);
    const limit = Math.min(total === 0 ? Number.POSITIVE_INFINITY : total, left);
    return {
      auth: options.auth,
      headers: options.headers,
      validation: options.validation,
      signal,
      retry: false,
      timeout: { total: Number.isFinite(limit) ? Math.max(1, limit) : false },
    };
  };
  const endpoint = { ...configCheckEndpoint, operation: 'waitForConfiguration' };
  const context = {
    ...settings,
    headers: [],
    credentialParameters: api.authorizer.credentialParameters,
  };
  const source: WaitSource = {
    request: describeRequest(buildRequest(endpoint, {}, context)),
    async status(signal, left) {
      const status: unknown = await api.call(configCheckEndpoint, {}, bounded(signal, left));
      return isStatus(status) ? status : undefined;
    },
  };
  const clock: WaitClock = {
    now: () => performance.now(),
    // A longer delay (over 31 bits) would make the timer fire immediately.
    sleep: (ms, signal) => api.transport.inFlight.pause(Math.min(ms, maxTimerDelay), signal),
  };
  return new ConfigurationRun(source, options, clock);
}

/** Returns whether a value is a status. If validation is off, the response can have any type. */
function isStatus(value: unknown): value is ConfigurationStatus {
  const progress = getMember(value, 'progress');
  return (
    typeof getMember(value, 'status') === 'string' &&
    (progress === undefined || Array.isArray(progress))
  );
}
