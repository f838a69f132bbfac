/**
 * Rejects unknown names. A misspelled option would have no effect, and the test that needs it would pass.
 * @param where start of the error message.
 * @throws {TypeError} if a name is unknown. Lists the known names.
 */
export function checkNames(where: string, given: object, known: readonly string[]): void {
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    throw new TypeError(`${where}: unknown option '${name}'; known are: ${known.join(', ')}`);
  }
}
