/** Numbers from 0 to 1 that follow from a seed. */
export type Random = () => number;

/** A small generator (mulberry32): the same seed, the same run. */
export function randomFrom(seed: number): Random {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A generator of its own for one thing of a run: what it gives does not depend on the order of events. */
export function randomOf(seed: number, ...parts: readonly number[]): Random {
  let mixed = seed >>> 0;
  for (const part of parts)
    mixed = Math.imul(mixed ^ (part + 0x9e3779b9), 0x85ebca6b) ^ (mixed >>> 13);
  return randomFrom(mixed);
}

/** Picks by weight. @throws {RangeError} nothing to pick from. */
export function pick<T extends { readonly weight: number }>(
  random: Random,
  choices: readonly T[],
): T {
  let left = random() * choices.reduce((sum, { weight }) => sum + weight, 0);
  for (const choice of choices) {
    left -= choice.weight;
    if (left < 0) return choice;
  }
  const last = choices.at(-1);
  if (last === undefined) throw new RangeError('nothing to pick from');
  return last;
}
