import { checkChoice, invalidOption } from '../option-names.js';
import type { RequestInfo } from '../response-info.js';
import { formatGot, getMember } from '../schema/unknown-values.js';
import type { DiagnosticEvents, DiagnosticName, EventLog } from './request/diagnostics.js';
import { catchRejection } from './request/event-loop.js';
import { showIssues } from './response/response-errors.js';

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
