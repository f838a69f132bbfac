import { type SoakCall, soakCalls } from './calls.js';
import type { ServerLedger } from './server.js';
import { type Verdict, verdicts } from './verdict.js';

/** Outcome of each call from the client's point of view, indexed by operation. */
export interface ClientLedger {
  /** For each call, an index into {@link soakCalls}. */
  readonly calls: Uint8Array;
  /** For each call, an index into {@link verdicts}. */
  readonly verdicts: Uint8Array;
}

/** A difference between the two ledgers. */
export interface Disagreement {
  readonly operation: number;
  readonly call: string;
  readonly verdict: Verdict;
  readonly problem: string;
}

/** Number of calls of one kind, by verdict. */
export type Tally = Readonly<Record<Verdict, number>>;

/** Result of comparing the ledgers. */
export interface Audit {
  readonly disagreements: readonly Disagreement[];
  /** Calls that succeeded for the client but were not executed by the server. */
  readonly lost: number;
  /** Writes that had a second effect, or that were sent again after their execution. */
  readonly doubled: number;
  readonly tallies: ReadonlyMap<string, Tally>;
}

/** The server's counts for one operation. */
interface Counted {
  readonly executions: number;
  readonly effects: number;
  readonly repeats: number;
}

/** Compares the client's outcomes with the server's executions. */
export function audit(client: ClientLedger, server: ServerLedger): Audit {
  const disagreements: Disagreement[] = [];
  const tallies = new Map<string, Record<Verdict, number>>();
  let lost = 0;
  let doubled = 0;
  for (let operation = 1; operation < client.calls.length; operation++) {
    const call = soakCalls[client.calls[operation] ?? 0];
    if (!call) throw new RangeError(`operation ${operation} has an unknown kind`);
    const verdict = verdicts[client.verdicts[operation] ?? 0] ?? 'unsettled';
    countTally(tallies, call.name)[verdict]++;
    const counted = {
      executions: server.executions[operation] ?? 0,
      effects: server.effects[operation] ?? 0,
      repeats: server.repeats[operation] ?? 0,
    };
    if (isDoubled(call, counted)) doubled++;
    if (isLost(call, verdict, counted)) lost++;
    const problem = findProblem(call, verdict, counted);
    if (problem !== undefined) disagreements.push({ operation, call: call.name, verdict, problem });
  }
  return { disagreements, lost, doubled, tallies };
}

function countTally(tallies: Map<string, Record<Verdict, number>>, name: string) {
  const known = tallies.get(name);
  if (known) return known;
  const tally = { unsettled: 0, done: 0, acted: 0, may: 0, not: 0, wrong: 0 };
  tallies.set(name, tally);
  return tally;
}

function isDoubled(call: SoakCall, { effects, repeats }: Counted): boolean {
  return effects > 1 || (call.kind === 'once' && repeats > 0);
}

function isLost(call: SoakCall, verdict: Verdict, { executions }: Counted): boolean {
  const claimed = verdict === 'done' || verdict === 'acted';
  return claimed && call.kind !== 'read' && executions === 0;
}

function findProblem(call: SoakCall, verdict: Verdict, counted: Counted): string | undefined {
  const { executions, effects, repeats } = counted;
  if (verdict === 'unsettled') return 'the call never settled';
  if (verdict === 'wrong') return 'the caller got a wrong result';
  if (isLost(call, verdict, counted)) return 'the server did not execute the call';
  if (effects > 1) return `the call had ${effects} effects`;
  if (call.kind === 'once' && repeats > 0)
    return `sent ${repeats} times more after it was executed`;
  if (call.kind === 'once' && executions > 1) return `executed ${executions} times`;
  if (verdict === 'not' && executions > 0)
    return `surely not acted, and executed ${executions} times`;
  return undefined;
}
