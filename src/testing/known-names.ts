/**
 * Refuses a name that means nothing: a misspelt option would change nothing, and the test that needs it
 * would stay green.
 * @param where what the names belong to, as the message begins.
 * @throws {TypeError} names the unknown one and the known ones
 */
export function checkNames(where: string, given: object, known: readonly string[]): void {
  for (const name of Object.keys(given)) {
    if (known.includes(name)) continue;
    throw new TypeError(`${where}: unknown option '${name}'; known are: ${known.join(', ')}`);
  }
}
