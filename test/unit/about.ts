import { expect } from 'vitest';

/**
 * A message of ours about a field: it may begin with an operation, it names the field, and then it says
 * this. The whole sentences stand in docs/errors.md.
 */
export function about(field: string, says: RegExp): unknown {
  const name = field.replace(/\W/g, '\\$&');
  return expect.stringMatching(new RegExp(`^(?:[\\w.]+: )?${name}[:.].*${says.source}`, 's'));
}
