import type { Kind } from './peers/peer.js';

/** What a worker is told to do, once a round. */
export type Task =
  | {
      readonly kind: Kind;
      /** How many times the whole list is followed. */
      readonly crawls: number;
      /** How many items the list has. */
      readonly items: number;
      /** Milliseconds of work once a page. */
      readonly work?: number | undefined;
      /** Pages at once, of clients that can. */
      readonly concurrency?: number | undefined;
    }
  | {
      readonly kind: 'search';
      /** How many records there are. */
      readonly items: number;
      readonly concurrency?: number | undefined;
    }
  | {
      readonly kind: 'small';
      /** How many requests. */
      readonly count: number;
      /** How many at a time. */
      readonly width: number;
    };

/** What a worker answers. */
export interface Told {
  /** Wall-clock time. */
  readonly ms: number;
  /** Processor time of the worker, its garbage collection included. */
  readonly cpu: number;
}
