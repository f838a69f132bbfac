import type { Kind } from './peers/peer.js';

/** Task for a worker. The parent sends one task per turn. */
export type Task =
  | {
      readonly kind: Kind;
      /** Number of times to read the whole list. */
      readonly crawls: number;
      /** Expected number of items. */
      readonly items: number;
      /** Duration of the work on each page, in ms. */
      readonly work?: number | undefined;
      /** Pages to request at the same time, for clients that support this. */
      readonly concurrency?: number | undefined;
    }
  | {
      readonly kind: 'small';
      /** Number of requests. */
      readonly count: number;
      /** Number of concurrent requests. */
      readonly width: number;
    };

export interface TaskResult {
  /** Wall-clock time, in ms. */
  readonly ms: number;
  /** The worker's processor time, including garbage collection, in ms. */
  readonly cpu: number;
}
