/** Task for a process in a fleet. The parent sends one task per turn. */
export type FleetTask =
  | {
      readonly kind: 'calls';
      /** Whether the client that shares its limits sends the calls. */
      readonly shares: boolean;
      /** Number of calls. */
      readonly count: number;
      /** Number of concurrent calls. */
      readonly width: number;
    }
  | {
      readonly kind: 'budget';
      /** Tokens whose quotas the process uses up. */
      readonly tokens: readonly string[];
      /** Total number of concurrent calls for all tokens. */
      readonly width: number;
    };

export interface FleetResult {
  /** Wall-clock time, in ms. */
  readonly ms: number;
  /** Processor time, in ms. */
  readonly cpu: number;
  /** Median time of a call, in ms. */
  readonly p50: number;
  /** 99th percentile of the call times, in ms. */
  readonly p99: number;
}

/** Response time for calls of a simulated fleet, in ms. */
export const latency = 20;

/** Load that the clients of a simulated fleet generate. */
export interface Load {
  readonly token: string;
  /** Remaining quota that every response reports. */
  readonly remaining: number;
  /** Interval at which a client starts calls, in ms. A client skips a call while another is in flight. */
  readonly interval: number;
  readonly maxConcurrency?: number | undefined;
}
