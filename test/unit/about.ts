import { expect } from 'vitest';

/**
 * Matches an error message that names `field` and then contains text that matches `says`. An
 * operation may come before the field.
 */
export function about(field: string, says: RegExp): unknown {
  const name = field.replace(/\W/g, '\\$&');
  return expect.stringMatching(new RegExp(`^(?:[\\w.]+: )?${name}[:.].*${says.source}`, 's'));
}
