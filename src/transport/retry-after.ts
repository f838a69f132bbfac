export function parseHttpDate(v: string): number | undefined {
  const t = Date.parse(v);
  return Number.isNaN(t) ? undefined : t;
}
export function parseRetryAfter(
  v: string | undefined,
  now: number,
  d?: string,
): number | undefined {
  if (v === undefined) return undefined;
  if (/^\d+$/.test(v)) return Number(v) * 1000;
  const t = parseHttpDate(v);
  return t === undefined ? undefined : Math.max(0, t - (d ? (parseHttpDate(d) ?? now) : now));
}
export function parseResetHeader(v: string | undefined): Date | undefined {
  return v && /^\d+$/.test(v) ? new Date(Number(v) * 1000) : undefined;
}
