import type { Row } from './result.js';
import { median, quartiles } from './statistics.js';

/** Result of a turn: the number to compare, and additional numbers. */
export type Turn = readonly [main: number, more?: Readonly<Record<string, number>>];

/** Alternatives that take several turns in each round, because short turns vary a lot. */
export interface Often {
  readonly names: readonly string[];
  readonly turns: number;
}

/** Result of a turn, and the number of its round. */
interface Taken {
  readonly round: number;
  readonly turn: Turn;
}

/**
 * Runs the alternatives in turn and rotates their order from round to round, so a temporary
 * slowdown of the machine affects all of them. An alternative with several turns per round takes its turns between
 * the other alternatives' turns.
 * @param ways The alternatives. The first alternative is the baseline.
 */
export async function interleave(
  ways: Readonly<Record<string, () => Promise<Turn>>>,
  rounds: number,
  warmUps: number,
  often: Often = { names: [], turns: 1 },
): Promise<Row[]> {
  const names = Object.keys(ways);
  const taken = new Map<string, Taken[]>(names.map((name) => [name, []]));
  for (let round = -warmUps; round < rounds; round += 1) {
    for (let lap = 0; lap < often.turns; lap += 1) {
      for (const [index] of names.entries()) {
        const place = (index + round + warmUps + lap) % names.length;
        const name = names[place] ?? '';
        if (place % often.turns !== lap && !often.names.includes(name)) continue;
        const turn = await ways[name]?.();
        if (turn !== undefined && round >= 0) taken.get(name)?.push({ round, turn });
      }
    }
  }
  const first = taken.get(names[0] ?? '') ?? [];
  const measures = Array.from({ length: rounds }, (_none, of) =>
    median(first.flatMap(({ round, turn }) => (round === of ? turn[0] : []))),
  );
  return names.map((name, index) => summary(name, taken.get(name) ?? [], index > 0 && measures));
}

/**
 * Summarizes an alternative's turns.
 * @param measures The baseline's time in each round, or false for the baseline.
 */
function summary(name: string, taken: readonly Taken[], measures: readonly number[] | false): Row {
  const main = taken.map(({ turn }) => turn[0]);
  const ratios = taken.map(({ round, turn }) =>
    measures ? turn[0] / (measures[round] ?? Number.NaN) : 1,
  );
  const keys = Object.keys(taken[0]?.turn[1] ?? {});
  const more = keys.map((key) => [
    key,
    median(taken.map(({ turn }) => turn[1]?.[key] ?? Number.NaN)),
  ]);
  return {
    name,
    median: median(main),
    min: Math.min(...main),
    max: Math.max(...main),
    quartiles: quartiles(main),
    ratio: median(ratios),
    more: Object.fromEntries(more),
  };
}
