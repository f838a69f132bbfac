import { describeKind, isRecord } from '../schema/unknown-values.js';

/**
 * Rejects unknown names. A misspelled option would have no effect, and a test that relies on the
 * option could pass by mistake.
 * @param where prefix of the error message.
 * @throws {TypeError} if `given` isn't an object or a name is unknown. The message lists the known
 * names.
 */
export function checkNames(where: string, given: object, known: readonly string[]): void {
  if (!isRecord(given)) {
    throw new TypeError(`${where}: expected an object (got ${describeKind(given)})`);
  }
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    throw new TypeError(`${where}: unknown option '${name}'. Known options: ${known.join(', ')}.`);
  }
}
