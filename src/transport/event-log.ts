import { ConfigurationError } from '../errors/index.js';
import type { RequestInfo } from '../response-info.js';
import { catchRejection } from './request/callback.js';
import type { DiagnosticEvents, DiagnosticName, EventLog } from './request/diagnostics.js';
import { kindOf } from './request/input.js';
import { showIssues } from './response/answer-errors.js';

/** Where a client writes its lines: `console`, a logger of pino, or any object with these methods. */
export interface Logger {
  /** Redirects that are followed, and answers from the cache. */
  debug(line: string): void;
  /** Each attempt that was answered, and waits for the rate limit. */
  info(line: string): void;
  /**
   * 5xx responses, retries, credentials over plain http, stores that don't respond, and responses that
   * don't fit their model.
   */
  warn(line: string): void;
  /** Each attempt without a whole answer. */
  error(line: string): void;
}

type Level = keyof Logger;

const levels: readonly Level[] = ['debug', 'info', 'warn', 'error'];

type Line = readonly [level: Level, text: string];

/** How an event is told. What is in events is masked already. */
type Lines = {
  readonly [Name in DiagnosticName]?: (event: DiagnosticEvents[Name]) => Line;
};

const lines: Lines = {
  'triforge:request:end': ({ request, attempt, status, duration }) => [
    status < 500 ? 'info' : 'warn',
    `${placeOf(request)} ${status} in ${duration.toFixed()} ms${numberOf(attempt)}`,
  ],
  'triforge:request:error': ({ request, attempt, kind, duration }) => [
    'error',
    `${placeOf(request)} ${kind} after ${duration.toFixed()} ms${numberOf(attempt)}`,
  ],
  'triforge:retry': ({ request, delay, reason }) => [
    'warn',
    `${request.operation}: again in ${delay.toFixed()} ms, after ${reason}`,
  ],
  'triforge:wait': ({ operation, delay }) => [
    'info',
    `${operation}: waits ${delay.toFixed()} ms for the rate limit`,
  ],
  'triforge:plain-http': ({ origin }) => [
    'warn',
    `the credentials are sent to ${origin} unencrypted, and anyone on the network path can read them: use https`,
  ],
  'triforge:redirect': ({ request, status, location }) => [
    'debug',
    `${request.operation}: ${status} to ${location}`,
  ],
  'triforge:cache:hit': ({ request }) => ['debug', `${request.operation}: answered by the cache`],
  'triforge:store': ({ store, state, reason }) => [
    'warn',
    state === 'back'
      ? `the store of the ${store} answers again`
      : `the store of the ${store} does not answer, and calls go on without: ${reason}`,
  ],
  'triforge:shape-drift': ({ request, model, issues }) => [
    'warn',
    `${request.operation}: the answer does not fit ${model}: ${showIssues(issues)}`,
  ],
};

function placeOf({ operation, method, url }: RequestInfo): string {
  return `${operation}: ${method} ${url}`;
}

function numberOf(attempt: number): string {
  return attempt > 1 ? `, attempt ${attempt}` : '';
}

/**
 * What writes the events of a client; undefined where nobody asks for it. Without an option,
 * `TRIFORGE_LOG` says which lines go to standard error.
 * @throws {ConfigurationError}
 */
export function resolveLog(given: Logger | undefined): EventLog | undefined {
  const logger = given === undefined ? loggerOfEnvironment() : checkLogger(given);
  return (
    logger &&
    ((name, event) => {
      const line = lines[name]?.(event);
      if (!line) return;
      const [level, text] = line;
      try {
        const returned: unknown = logger[level](text);
        catchRejection(returned, ignore);
      } catch {
        // A failing logger loses a line, but must not fail the call.
      }
    })
  );
}

function ignore(): void {}

function checkLogger(given: Logger): Logger {
  for (const level of levels) {
    if (typeof given?.[level] === 'function') continue;
    throw new ConfigurationError(
      `log: expected an object with debug, info, warn and error, such as console, got ${kindOf(given)}`,
      { option: 'log' },
    );
  }
  return given;
}

function loggerOfEnvironment(): Logger | undefined {
  const { TRIFORGE_LOG: least } = process.env;
  if (!least) return undefined;
  if (least !== 'debug' && least !== 'info') {
    throw new ConfigurationError('TRIFORGE_LOG: expected debug or info', { option: 'log' });
  }
  const write = (level: Level) => (line: string) => console.error(`triforge ${level}: ${line}`);
  return {
    debug: least === 'debug' ? write('debug') : () => undefined,
    info: write('info'),
    warn: write('warn'),
    error: write('error'),
  };
}
