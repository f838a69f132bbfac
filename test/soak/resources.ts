import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** Resources of this process after garbage collection. */
export interface Resources {
  /** Resident set size in bytes. */
  readonly rss: number;
  /** Bytes in use on the heap. */
  readonly heap: number;
  /**
   * Open connections. The server counts them, because the client's idle connections aren't handles.
   */
  readonly sockets: number;
  /** Handles and requests that keep the event loop alive. */
  readonly handles: number;
}

let collect: (() => void) | undefined;

function collectGarbage(): void {
  if (!collect) {
    setFlagsFromString('--expose-gc');
    const gc: unknown = runInNewContext('gc');
    if (typeof gc !== 'function') throw new TypeError('this Node.js has no gc()');
    collect = () => void gc();
  }
  collect();
}

/** Measures the resources while no call is in progress. */
export async function takeStock(connections: () => Promise<number>): Promise<Resources> {
  for (let round = 0; round < 3; round++) {
    collectGarbage();
    await sleep(50);
  }
  const sockets = await connections();
  const { rss, heapUsed } = process.memoryUsage();
  return {
    rss,
    heap: heapUsed,
    sockets,
    handles: process.getActiveResourcesInfo().length,
  };
}

const megabyte = 2 ** 20;

/** Minimum number of calls for memory checks. In shorter runs, the process is still warming up. */
export const callsForMemory = 20_000;

/** Describes growth between the middle and the end of a run. */
export function growth(
  middle: Resources,
  end: Resources,
  concurrency: number,
  calls: number,
): string[] {
  const problems: string[] = [];
  const grew = (what: string, from: number, to: number, room: number) => {
    if (to > from + room) problems.push(`${what} grew from ${from} to ${to}`);
  };
  if (calls >= callsForMemory) {
    grew('rss', middle.rss, end.rss, Math.max(middle.rss * 0.1, 16 * megabyte));
    grew('heap', middle.heap, end.heap, Math.max(middle.heap * 0.1, 4 * megabyte));
  }
  // Each concurrent request can leave two idle connections, because a list also prefetches a page.
  grew('sockets', 2 * concurrency, end.sockets, 0);
  grew('handles', middle.handles, end.handles, 4);
  return problems;
}

/** Describes the resources that a closed client still uses. */
export function leftovers(start: Resources, closed: Resources): string[] {
  const problems: string[] = [];
  if (closed.sockets > start.sockets) {
    problems.push(`${closed.sockets - start.sockets} sockets stayed open after close()`);
  }
  if (closed.handles > start.handles) {
    problems.push(`${closed.handles - start.handles} handles stayed after close()`);
  }
  return problems;
}
