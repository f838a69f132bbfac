import { channel } from 'node:diagnostics_channel';
import type { RequestInfo } from '../../response-info.js';
import type { StandardIssue } from '../../schema/standard-schema.js';

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
   * becomes longer.
   */
  'triforge:wait': {
    /** Client method that waits, such as `pulls.list`. */
    readonly operation: string;
    /** Expected length of the wait in ms. Undefined if the call waits until another call ends. */
    readonly delay: number | undefined;
    /**
     * `quota`: the rate limit is exhausted. `pause`: a secondary limit pauses the credentials.
     * `pace`: calls start slowly after a pause. `write_interval`: another write was sent less than
     * `rateLimit.writeInterval` ago. `slot`: `maxConcurrency` calls are in flight.
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
   * Published when a shared store stops responding and when it responds again. Meanwhile, calls
   * continue without the store.
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

/** Channels for each attempt's events. Used to check whether the channels have subscribers. */
export interface AttemptChannels {
  readonly start: { readonly hasSubscribers: boolean };
  readonly end: { readonly hasSubscribers: boolean };
}

/**
 * Returns the channels to check for subscribers before an attempt is reported, because most
 * programs have no subscribers.
 */
export function attemptChannels(log: EventLog | undefined): AttemptChannels {
  if (log) return { start: { hasSubscribers: true }, end: { hasSubscribers: true } };
  return { start: channel('triforge:request:start'), end: channel('triforge:request:end') };
}

/** Publishes an event, which is created only if its channel has subscribers. */
export function publish<Name extends DiagnosticName>(
  name: Name,
  make: () => DiagnosticEvents[Name],
): void {
  const target = channel(name);
  if (target.hasSubscribers) target.publish(make());
}
