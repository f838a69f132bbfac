/** What a process of a fleet is told to do, once a round. */
export type FleetTask =
  | {
      readonly kind: 'calls';
      /** By the client that shares its limits. */
      readonly shares: boolean;
      /** How many calls. */
      readonly count: number;
      /** How many at a time. */
      readonly width: number;
    }
  | {
      readonly kind: 'budget';
      /** Whose budgets are used up. */
      readonly tokens: readonly string[];
      /** How many calls at a time, over all tokens. */
      readonly width: number;
    };

/** What it answers. */
export interface FleetTold {
  /** Wall-clock time. */
  readonly ms: number;
  /** Processor time, in ms. */
  readonly cpu: number;
  /** Half of the calls took at most so long, in ms. */
  readonly p50: number;
  /** Of a hundred calls one took longer, in ms. */
  readonly p99: number;
}

/** Milliseconds until a call of a simulated fleet is answered. */
export const latency = 20;

/** What the clients of a simulated fleet do. */
export interface Load {
  readonly token: string;
  /** What every answer says that is left. */
  readonly remaining: number;
  /** Milliseconds between two calls of a client, which waits for the first before the second. */
  readonly interval: number;
  readonly maxConcurrency?: number | undefined;
}
