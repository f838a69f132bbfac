import { expect } from 'vitest';

/**
 * Matches an error message about a field: an optional operation, the field's name, and text that
 * matches `says`. `docs/errors.md` contains the complete messages.
 */
export function about(field: string, says: RegExp): unknown {
  const name = field.replace(/\W/g, '\\$&');
  return expect.stringMatching(new RegExp(`^(?:[\\w.]+: )?${name}[:.].*${says.source}`, 's'));
}
