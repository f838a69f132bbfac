import type { ResponseShapeError } from '../hosting/index.js';
import type { Difference } from './report.js';

/** Where an answer differs from its model, each place once, however many items share it. */
export function differencesOf({ issues }: ResponseShapeError): Difference[] {
  const found = new Map<string, Difference>();
  for (const { message, path = [] } of issues) {
    const shown = shownPath(path.map((each) => (typeof each === 'object' ? each.key : each)));
    // What a model says of a value names its kind, and never the value itself.
    const [, expected = message, got = 'something else'] =
      /expected (?:an? )?(.+?), (?:received|got) (?:an? )?(.+)$/s.exec(message) ?? [];
    found.set(shown, { path: shown, expected, got });
  }
  return [...found.values()];
}

function shownPath(path: readonly PropertyKey[]): string {
  return path.reduce<string>((shown, key) => {
    if (typeof key === 'number') return `${shown}[]`;
    return shown === '' ? String(key) : `${shown}.${String(key)}`;
  }, '');
}
