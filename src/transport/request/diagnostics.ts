import { channel } from 'node:diagnostics_channel';
import type { RequestInfo } from '../../response-info.js';
import type { StandardIssue } from '../../schema/standard-schema.js';

/** What each `diagnostics_channel` message holds; every URL is masked. Names start with `triforge:`. */
export interface DiagnosticEvents {
  /** An attempt is about to be sent. */
  'triforge:request:start': {
    /** The request that is sent. */
    readonly request: RequestInfo;
    /** Number of the attempt, from 1. */
    readonly attempt: number;
  };
  /** An answer came, whatever its status. */
  'triforge:request:end': {
    /** The request that was answered. */
    readonly request: RequestInfo;
    /** Number of the attempt, from 1. */
    readonly attempt: number;
    /** HTTP status of the answer. */
    readonly status: number;
    /** Milliseconds since its start event. */
    readonly duration: number;
  };
  /** An attempt failed without a whole answer. */
  'triforge:request:error': {
    /** The request that failed. */
    readonly request: RequestInfo;
    /** Number of the attempt, from 1. */
    readonly attempt: number;
    /** What failed: connection, timeout or abort. */
    readonly kind: string;
    /** Milliseconds from the start of the attempt. */
    readonly duration: number;
  };
  /** The call is sent again after `delay` ms. */
  'triforge:retry': {
    /** The request that is sent again. */
    readonly request: RequestInfo;
    /** Number of the attempt that failed, from 1. */
    readonly attempt: number;
    /** Milliseconds until the next attempt. */
    readonly delay: number;
    /** Why it is sent again. */
    readonly reason: string;
  };
  /** The call waits for the rate limit. */
  'triforge:wait': {
    /** The method that waits, as `pulls.list`. */
    readonly operation: string;
    /** Milliseconds of the wait. */
    readonly delay: number;
  };
  /**
   * Credentials are about to be sent over plain http to another machine. Published once for each client
   * and origin.
   */
  'triforge:plain-http': {
    /** Origin that gets them, such as `http://code.example.com`. */
    readonly origin: string;
  };
  /** A redirect is followed. */
  'triforge:redirect': {
    /** The request that was redirected. */
    readonly request: RequestInfo;
    /** Status of the redirect. */
    readonly status: number;
    /** Where the redirect leads to, without secrets. */
    readonly location: string;
  };
  /**
   * A page of a list that is fetched with `concurrency` is not what the pages before it said: items moved
   * while it was read, and one may have come twice, or not at all.
   */
  'triforge:list:moved': {
    /** The request of the page. */
    readonly request: RequestInfo;
    /** `empty`: it holds no item. `end`: the list ends elsewhere than the page before it said. */
    readonly reason: 'empty' | 'end';
  };
  /** The conditional cache answered: the server said 304. */
  'triforge:cache:hit': {
    /** The request that was answered from the cache. */
    readonly request: RequestInfo;
  };
  /** A store that processes share does not answer, and calls go on without; or it is back. */
  'triforge:store': {
    /** Use of the store: rate limits, the cache, the support session, or webhook deliveries. */
    readonly store: 'limits' | 'cache' | 'session' | 'deliveries';
    /** `lost`, or `back`. */
    readonly state: 'lost' | 'back';
    /** Why it is lost. */
    readonly reason?: string | undefined;
  };
  /** A response that doesn't fit its model was returned: with `validation: 'warn'`, or because the interface doesn't specify it. */
  'triforge:shape-drift': {
    /** The request whose answer differs. */
    readonly request: RequestInfo;
    /** Name of the model. */
    readonly model: string;
    /** What differs from the model. */
    readonly issues: readonly StandardIssue[];
  };
}

/** The name of a diagnostics channel. */
export type DiagnosticName = keyof DiagnosticEvents;

const channels = {
  'triforge:request:start': channel('triforge:request:start'),
  'triforge:request:end': channel('triforge:request:end'),
  'triforge:request:error': channel('triforge:request:error'),
  'triforge:retry': channel('triforge:retry'),
  'triforge:wait': channel('triforge:wait'),
  'triforge:plain-http': channel('triforge:plain-http'),
  'triforge:redirect': channel('triforge:redirect'),
  'triforge:list:moved': channel('triforge:list:moved'),
  'triforge:cache:hit': channel('triforge:cache:hit'),
  'triforge:store': channel('triforge:store'),
  'triforge:shape-drift': channel('triforge:shape-drift'),
} as const satisfies Record<DiagnosticName, unknown>;

/** Publishes an event, which is only made when somebody listens. */
export type Publish = <Name extends DiagnosticName>(
  name: Name,
  make: () => DiagnosticEvents[Name],
) => void;

/** A client's own log of its events. */
export type EventLog = <Name extends DiagnosticName>(
  name: Name,
  event: DiagnosticEvents[Name],
) => void;

/** {@link publish}, and a log that hears of all events. */
export function publishTo(log: EventLog | undefined): Publish {
  if (!log) return publish;
  return (name, make) => {
    const event = make();
    publish(name, () => event);
    log(name, event);
  };
}

/** Publishes an event that is only made when somebody listens. */
export function publish<Name extends DiagnosticName>(
  name: Name,
  make: () => DiagnosticEvents[Name],
): void {
  const target = channels[name];
  if (target.hasSubscribers) target.publish(make());
}
