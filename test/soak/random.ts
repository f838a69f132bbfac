import { Random } from '../../src/testing/random.js';

/**
 * Creates a random number generator for one part of a run. The numbers don't depend on the order of
 * events.
 */
export function createRandom(seed: number, ...parts: readonly number[]): Random {
  let mixed = seed >>> 0;
  for (const part of parts)
    mixed = Math.imul(mixed ^ (part + 0x9e3779b9), 0x85ebca6b) ^ (mixed >>> 13);
  return new Random(mixed);
}

/** Picks a choice at random, by weight. @throws {RangeError} if there are no choices. */
export function pickWeighted<T extends { readonly weight: number }>(
  random: Random,
  choices: readonly T[],
): T {
  let left = random.next() * choices.reduce((sum, { weight }) => sum + weight, 0);
  for (const choice of choices) {
    left -= choice.weight;
    if (left < 0) return choice;
  }
  const last = choices.at(-1);
  if (last === undefined) throw new RangeError('nothing to pick from');
  return last;
}
