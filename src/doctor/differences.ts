import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import type { DiagnosticEvents, ResponseShapeError } from '../hosting/index.js';
import type { Difference } from './report.js';
import type { IsHarmless } from './server.js';

/**
 * Lists the differences between a response and its model. Each path appears once, even if it occurs
 * in many items.
 */
export function findDifferences(
  { issues }: Pick<ResponseShapeError, 'issues'>,
  isHarmless: IsHarmless = () => true,
): Difference[] {
  const found = new Map<string, Difference>();
  for (const { message, path = [] } of issues) {
    const keys = path.map((each) => (typeof each === 'object' ? each.key : each));
    const shown = formatFieldPath(keys, isHarmless);
    // A model's messages contain a value's type, never the value itself.
    const [, expected = message, got = 'something else'] =
      /expected (?:an? )?(.+?), (?:received|got) (?:an? )?(.+)$/s.exec(message) ?? [];
    found.set(shown, { path: shown, expected, got });
  }
  return [...found.values()];
}

/**
 * Calls `run` and returns the differences that the client publishes for an unspecified response.
 */
export async function collectDrift(
  operation: string,
  isHarmless: IsHarmless | undefined,
  run: () => Promise<unknown>,
): Promise<Difference[]> {
  const issues: DiagnosticEvents['triforge:shape-drift']['issues'][number][] = [];
  const listen = (message: unknown) => {
    // `as`: the client publishes only this type on the channel.
    const drift = message as DiagnosticEvents['triforge:shape-drift'];
    if (drift.request.operation === operation) issues.push(...drift.issues);
  };
  subscribe('triforge:shape-drift', listen);
  try {
    await run();
  } finally {
    unsubscribe('triforge:shape-drift', listen);
  }
  return findDifferences({ issues }, isHarmless);
}

/** Matches field names. Other keys are data chosen by the server. */
const fieldShape = /^[A-Za-z_][\w-]{0,39}$/;

function formatFieldPath(path: readonly PropertyKey[], isHarmless: IsHarmless): string {
  return path.reduce<string>((shown, key) => {
    if (typeof key === 'number') return `${shown}[]`;
    const name = String(key);
    const field = fieldShape.test(name) && isHarmless(name) ? name : '*';
    return shown === '' ? field : `${shown}.${field}`;
  }, '');
}
