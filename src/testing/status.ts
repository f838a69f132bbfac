import type { EmulatorClock } from './clock.js';
import type { Family } from './family.js';
import type { FaultMatcher, FaultPlan } from './faults.js';
import type { LoggedRequest, RequestLog } from './request-log.js';

/** Status of the emulator. */
export interface EmulatorStatus {
  /** The emulator's time in ISO 8601. */
  readonly now: string;
  /** Milliseconds by which a running clock is ahead of real time. Null if the clock is fixed. */
  readonly ahead: number | null;
  /** Number of records of each API, by kind. */
  readonly families: Readonly<Record<string, Readonly<Record<string, number>>>>;
  /** Last 50 requests, newest first. Paths are shortened to 500 characters. */
  readonly requests: readonly Pick<
    LoggedRequest,
    'id' | 'time' | 'method' | 'path' | 'status' | 'size'
  >[];
  /** Number of requests since the start or the last reset. */
  readonly received: number;
  /** Pending faults. */
  readonly faults: readonly {
    /** Kind of the fault. */
    readonly kind: string;
    /** Description of the requests that the fault applies to. */
    readonly match: string;
    /** Number of requests that the fault still applies to. Null for all. */
    readonly left: number | null;
  }[];
}

/** Maximum number of requests and maximum length of a path. These limits keep status events small. */
const [mostRequests, longestPath] = [50, 500];

export function describeStatus(
  clock: EmulatorClock,
  families: readonly Family[],
  log: RequestLog,
  faults: FaultPlan,
): EmulatorStatus {
  const recent = log.entries.slice(-mostRequests).reverse();
  return {
    now: clock.now.toISOString(),
    ahead: clock.ahead ?? null,
    families: Object.fromEntries(families.map((each) => [each.name, each.counts()])),
    requests: recent.map(({ id, time, method, path, status, size }) => {
      const shown = path.length > longestPath ? `${path.slice(0, longestPath)}…` : path;
      return { id, time, method, path: shown, status, size };
    }),
    received: log.received,
    faults: faults.pending.map(({ matcher, fault, left }) => ({
      kind: fault.kind,
      match: describeMatcher(matcher),
      left: Number.isFinite(left) ? left : null,
    })),
  };
}

function describeMatcher({
  method = 'any method',
  path = 'any path',
  query,
}: FaultMatcher): string {
  return [method, path, query && JSON.stringify(query)].filter(Boolean).join(' ');
}
