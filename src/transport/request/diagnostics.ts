import { channel } from 'node:diagnostics_channel';
import { checkChoice, invalidOption } from '../../option-names.js';
import type { RequestInfo } from '../../response-info.js';
import { type StandardIssue, showIssues } from '../../schema/standard-schema.js';
import { formatGot, getMember } from '../../schema/unknown-values.js';
import { catchRejection } from './event-loop.js';

/** Messages by `diagnostics_channel` name. Secrets in URLs are masked. */
export interface DiagnosticEvents {
  /** Published before an attempt is sent. */
  'triforge:request:start': {
    /** Request that is about to be sent. */
    readonly request: RequestInfo;
    /** Attempt number, starting at 1. */
    readonly attempt: number;
  };
  /** Published when a response arrives, regardless of its status. */
  'triforge:request:end': {
    /** Request that got the response. */
    readonly request: RequestInfo;
    /** Attempt number, starting at 1. */
    readonly attempt: number;
    /** HTTP status of the response. */
    readonly status: number;
    /** Time since the start of the attempt, in ms. */
    readonly duration: number;
  };
  /** Published when an attempt fails without a complete response. */
  'triforge:request:error': {
    /** Request that failed. */
    readonly request: RequestInfo;
    /** Attempt number, starting at 1. */
    readonly attempt: number;
    /** Kind of failure, such as `connection`, `timeout_headers` or `interrupted`. */
    readonly kind: string;
    /** Time since the start of the attempt, in ms. */
    readonly duration: number;
  };
  /** Published when a call will be retried after `delay` ms. */
  'triforge:retry': {
    /** Request that will be retried. */
    readonly request: RequestInfo;
    /** Number of the failed attempt, starting at 1. */
    readonly attempt: number;
    /** Time until the next attempt, in ms. */
    readonly delay: number;
    /** Reason for the retry: the HTTP status, or the kind of failure. */
    readonly reason: string;
  };
  /**
   * Published when a call waits before it is sent, and again if the reason changes or the wait
   * becomes at least a second longer.
   */
  'triforge:wait': {
    /** Client method that waits, such as `pulls.list`. */
    readonly operation: string;
    /** Expected length of the wait in ms. Undefined if the call waits until another call ends. */
    readonly delay: number | undefined;
    /**
     * Reason for the wait. `quota` means that the rate limit is exhausted. `pause` means that a
     * secondary limit pauses the credentials. `pace` means that calls start slowly after a pause.
     * `write_interval` means that another write was sent less than `rateLimit.writeInterval` ago.
     * `slot` means that `maxConcurrency` calls are in flight.
     */
    readonly reason: 'quota' | 'pause' | 'pace' | 'write_interval' | 'slot';
  };
  /** Published when a redirect is followed. */
  'triforge:redirect': {
    /** Request that was redirected. */
    readonly request: RequestInfo;
    /** HTTP status of the redirect. */
    readonly status: number;
    /** URL that the redirect leads to, without secrets. */
    readonly location: string;
  };
  /** Published when the server responds with a 304 and the result comes from the cache. */
  'triforge:cache:hit': {
    /** Request whose result comes from the cache. */
    readonly request: RequestInfo;
  };
  /**
   * Published when a shared store fails and when it recovers. Meanwhile, calls continue without the
   * store.
   */
  'triforge:store': {
    /** Data that the store shares: rate limits, the cache, or webhook deliveries. */
    readonly store: 'limits' | 'cache' | 'deliveries';
    /** State of the store. */
    readonly state: 'lost' | 'back';
    /** Reason for the `lost` state. */
    readonly reason?: string | undefined;
  };
  /**
   * Published when a call returns a response that doesn't match its model. Calls return such
   * responses after a write, with `validation: 'warn'`, or if the API's documentation doesn't
   * specify the response.
   */
  'triforge:shape-drift': {
    /** Request that got the response. */
    readonly request: RequestInfo;
    /** Model name. */
    readonly model: string;
    /** Differences from the model. */
    readonly issues: readonly StandardIssue[];
  };
}

/** Name of a diagnostics channel. */
export type DiagnosticName = keyof DiagnosticEvents;

/** Publishes an event, which is created only if the channel has subscribers. */
export type Publish = <Name extends DiagnosticName>(
  name: Name,
  make: () => DiagnosticEvents[Name],
) => void;

export type EventLog = <Name extends DiagnosticName>(
  name: Name,
  event: DiagnosticEvents[Name],
) => void;

/**
 * Returns a function that publishes events and, if there is a log, passes all of them to the log.
 */
export function publishTo(log: EventLog | undefined): Publish {
  if (!log) return publish;
  return (name, make) => {
    const event = make();
    publish(name, () => event);
    log(name, event);
  };
}

/** Publishes an event, which is created only if its channel has subscribers. */
export function publish<Name extends DiagnosticName>(
  name: Name,
  make: () => DiagnosticEvents[Name],
): void {
  const target = channel(name);
  if (target.hasSubscribers) target.publish(make());
}

/**
 * Receives a client's log lines. Can be `console`, a pino logger, or any object with these methods.
 */
export interface Logger {
  /** Logs followed redirects, cached responses, and waits for `maxConcurrency`. */
  debug(line: string): void;
  /**
   * Logs each attempt that received a response other than a 5xx, and all waits except those for
   * `maxConcurrency`.
   */
  info(line: string): void;
  /**
   * Logs 5xx responses, retries, store failures and recoveries, and responses that don't match
   * their model.
   */
  warn(line: string): void;
  /** Logs each attempt that received no complete response. */
  error(line: string): void;
}

type Level = keyof Logger;

const levels: readonly Level[] = ['debug', 'info', 'warn', 'error'];

type Line = readonly [level: Level, text: string];

/** Formatter for each event's log line. Secrets in events are already masked. */
type Lines = {
  readonly [Name in DiagnosticName]?: (event: DiagnosticEvents[Name]) => Line;
};

const waits: Readonly<Record<DiagnosticEvents['triforge:wait']['reason'], string>> = {
  quota: 'the rate limit',
  pause: 'the end of a pause that a secondary rate limit caused',
  pace: 'its turn after a pause',
  write_interval: 'rateLimit.writeInterval',
  slot: 'one of the calls in flight to end (maxConcurrency)',
};

const lines: Lines = {
  'triforge:request:end': ({ request, attempt, status, duration }) => [
    status < 500 ? 'info' : 'warn',
    formatAttempt(request, `${status} in ${duration.toFixed()} ms`, attempt),
  ],
  'triforge:request:error': ({ request, attempt, kind, duration }) => [
    'error',
    formatAttempt(request, `${kind} after ${duration.toFixed()} ms`, attempt),
  ],
  'triforge:retry': ({ request, delay, reason }) => [
    'warn',
    `${request.operation}: retry in ${delay.toFixed()} ms, after ${reason}`,
  ],
  'triforge:wait': ({ operation, delay, reason }) => [
    reason === 'slot' ? 'debug' : 'info',
    `${operation}: waits ${delay === undefined ? '' : `${delay.toFixed()} ms `}for ${waits[reason]}`,
  ],
  'triforge:redirect': ({ request, status, location }) => [
    'debug',
    `${request.operation}: ${status} to ${location}`,
  ],
  'triforge:cache:hit': ({ request }) => ['debug', `${request.operation}: served from the cache`],
  'triforge:store': ({ store, state, reason }) => [
    'warn',
    state === 'back'
      ? `the ${store} store responds again`
      : `calls continue without the ${store} store, which failed: ${reason}`,
  ],
  'triforge:shape-drift': ({ request, model, issues }) => [
    'warn',
    `${request.operation}: the response does not match ${model}: ${showIssues(issues)}`,
  ],
};

function formatAttempt({ operation, method, url }: RequestInfo, what: string, attempt: number) {
  return `${operation}: ${method} ${url} ${what}${attempt > 1 ? `, attempt ${attempt}` : ''}`;
}

/**
 * Creates a client's log, or returns undefined if logging is off. Without a logger, `TRIFORGE_LOG`
 * sets the level of the log on standard error.
 * @throws {ConfigurationError} if the logger or `TRIFORGE_LOG` is invalid.
 */
export function resolveLog(given: Logger | undefined): EventLog | undefined {
  const logger = given === undefined ? createEnvironmentLogger() : checkLogger(given);
  if (!logger) return undefined;
  return (name, event) => {
    const line = lines[name]?.(event);
    if (!line) return;
    const [level, text] = line;
    try {
      const returned: unknown = logger[level](text);
      catchRejection(returned, () => undefined);
    } catch {
      // If the logger fails, the line is lost, but the call must not fail.
    }
  };
}

function checkLogger(given: Logger): Logger {
  if (levels.every((level) => typeof getMember(given, level) === 'function')) return given;
  const why = 'must be an object with the methods debug, info, warn and error, such as console';
  throw invalidOption('log', `${why}${formatGot(given, 'object')}`);
}

function createEnvironmentLogger(): Logger | undefined {
  const { TRIFORGE_LOG: least } = process.env;
  if (!least) return undefined;
  checkChoice('TRIFORGE_LOG', least, ['debug', 'info']);
  const write = (level: Level) => (line: string) => {
    if (level !== 'debug' || least === 'debug') console.error(`triforge ${level}: ${line}`);
  };
  return { debug: write('debug'), info: write('info'), warn: write('warn'), error: write('error') };
}
