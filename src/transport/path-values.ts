import { InvalidRequestError } from '../errors.js';
export function checkPathValue(name: string, value: unknown): string {
  const s = String(value);
  if (value === undefined || s === '' || s === '.' || s === '..')
    throw new InvalidRequestError(`${name}: bad path value`, name);
  return s;
}
export function splitPathSegments(
  name: string,
  value: unknown,
  o: { allowEmpty: boolean },
): string[] {
  if (value === '' && o.allowEmpty) return [];
  return String(value)
    .split('/')
    .map((s) => checkPathValue(name, s));
}
