import type { Deadline } from '../dispatch/deadline.js';
import type { IsPrefetch } from '../request/request-spec.js';
import type { Block, CredentialLimits } from './credential-limits.js';

/** A request, as far as limits depend on it. */
export interface LimitedRequest {
  readonly operation: string;
  /**
   * Whether the request ignores the quota, the pace and the concurrency limit. Only pauses and the
   * write interval delay such a request.
   */
  readonly exemptFromLimits: boolean;
  /** Whether the request may change data on the server. */
  readonly writes: boolean;
  /** Longest wait for the end of a pause, in ms. */
  readonly maxPause: number;
  readonly deadline: Pick<Deadline, 'watch' | 'pauseForLimit' | 'resume' | 'timeLeftForLimit'>;
  /** Returns whether the request is a prefetch. Undefined if the request is never a prefetch. */
  readonly isPrefetch?: IsPrefetch | undefined;
}

/** Permission to send one request. Must be released when the request has ended. */
export interface Permit {
  readonly limits: CredentialLimits;
  readonly request: Pick<LimitedRequest, 'operation' | 'writes'>;
  /** Bucket of the quota that the request uses. Undefined for a request exempt from limits. */
  readonly bucket: string | undefined;
  /** When the request started, on the limiter's clock. */
  readonly startedAt: number;
  /** Whether the request tests if a pause is really over. */
  readonly isProbe: boolean;
  isReleased: boolean;
}

/** A call's rejection because it would wait too long. */
export interface Refusal extends Block {
  /** The bound that the wait exceeds, as the option and its value. */
  readonly bound: string;
}

/**
 * How a wait for a permit ended: with a permit, an interruption, a refusal, or `declined` (a
 * prefetch that a limit would delay).
 */
export type Acquisition = Permit | 'interrupted' | 'declined' | Refusal;
