export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** Returns the first and the third quartile of the values. */
export function quartiles(values: readonly number[]): readonly [number, number] {
  const sorted = values.toSorted((a, b) => a - b);
  const half = Math.floor(sorted.length / 2);
  if (half === 0) return [sorted[0] ?? Number.NaN, sorted[0] ?? Number.NaN];
  return [median(sorted.slice(0, half)), median(sorted.slice(-half))];
}

/** Formats a number with three significant digits, or with all digits before the decimal point. */
export function digits(value: number): string {
  return Math.abs(value) >= 100 ? value.toFixed(0) : String(Number(value.toPrecision(3)));
}
