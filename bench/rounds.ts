import type { Row } from './result.js';
import { median, quartiles } from './statistics.js';

/** What one turn of one way gave: the number that is compared first, then what else is known. */
export type Turn = readonly [main: number, more?: Readonly<Record<string, number>>];

/**
 * Lets all ways take turns, round by round and each round in another order, so that whatever slows
 * the machine for a while slows all of them.
 * @param ways the first is the one that the others are compared with.
 */
export async function interleave(
  ways: Readonly<Record<string, () => Promise<Turn>>>,
  rounds: number,
  warmUps: number,
): Promise<Row[]> {
  const names = Object.keys(ways);
  const turns = new Map<string, Turn[]>(names.map((name) => [name, []]));
  for (let round = -warmUps; round < rounds; round += 1) {
    for (const [index] of names.entries()) {
      const name = names[(index + round + warmUps) % names.length] ?? '';
      const turn = await ways[name]?.();
      if (turn !== undefined && round >= 0) turns.get(name)?.push(turn);
    }
  }
  const first = turns.get(names[0] ?? '') ?? [];
  return names.map((name) => summary(name, turns.get(name) ?? [], first));
}

function summary(name: string, turns: readonly Turn[], first: readonly Turn[]): Row {
  const main = turns.map(([value]) => value);
  const ratios = main.map((value, round) => value / (first[round]?.[0] ?? Number.NaN));
  const keys = Object.keys(turns[0]?.[1] ?? {});
  const more = keys.map((key) => [key, median(turns.map((turn) => turn[1]?.[key] ?? Number.NaN))]);
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
