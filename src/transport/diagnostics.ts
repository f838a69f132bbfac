import { channel } from 'node:diagnostics_channel';
import type { RequestInfo } from '../response-info.js';
import type { StandardIssue } from '../standard-schema.js';

/** What each `diagnostics_channel` message holds; every URL is masked. Names start with `triforge:`. */
export interface DiagnosticEvents {
  /** An attempt is about to be sent. */
  'triforge:request:start': { readonly request: RequestInfo; readonly attempt: number };
  /** An answer came, whatever its status. */
  'triforge:request:end': {
    readonly request: RequestInfo;
    readonly attempt: number;
    readonly status: number;
    /** Milliseconds since its start event. */
    readonly duration: number;
  };
  /** An attempt failed without a whole answer. */
  'triforge:request:error': {
    readonly request: RequestInfo;
    readonly attempt: number;
    readonly kind: string;
    readonly duration: number;
  };
  /** The call is sent again after `delay` ms. */
  'triforge:retry': {
    readonly request: RequestInfo;
    readonly attempt: number;
    readonly delay: number;
    readonly reason: string;
  };
  /** The call waits for the rate limit. */
  'triforge:wait': { readonly operation: string; readonly delay: number };
  /** A redirect is followed. */
  'triforge:redirect': {
    readonly request: RequestInfo;
    readonly status: number;
    readonly location: string;
  };
  /** The conditional cache answered: the server said 304. */
  'triforge:cache:hit': { readonly request: RequestInfo };
  /** An answer does not fit its model, and `validation: 'warn'` let it pass. */
  'triforge:shape-drift': {
    readonly request: RequestInfo;
    readonly model: string;
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
  'triforge:redirect': channel('triforge:redirect'),
  'triforge:cache:hit': channel('triforge:cache:hit'),
  'triforge:shape-drift': channel('triforge:shape-drift'),
} as const satisfies Record<DiagnosticName, unknown>;

/** Publishes an event that is only made when somebody listens. */
export function publish<Name extends DiagnosticName>(
  name: Name,
  make: () => DiagnosticEvents[Name],
): void {
  const target = channels[name];
  if (target.hasSubscribers) target.publish(make());
}
