import { describeLength } from '../../schema/unknown-values.js';
import { type Rule, rule } from '../../transport/request/input.js';

const lengths = { clientId: 20, clientSecret: 40 };

/** Returns whether a value is printable ASCII text of the required length, without spaces. */
export function isPrintable(value: unknown, length: number): boolean {
  return typeof value === 'string' && value.length === length && /^[\x21-\x7e]+$/.test(value);
}

function printableText(length: number): Rule {
  return rule(`${length} printable ASCII characters`, (value) => isPrintable(value, length), {
    type: 'string',
    pattern: `^[!-~]{${length}}$`,
  });
}

/** Validation rule for a client ID. */
export const clientId = printableText(lengths.clientId);

/** Validation rule for a client secret. */
export const clientSecret = printableText(lengths.clientSecret);

/**
 * Describes the problem with a client ID or client secret, without revealing the value. Undefined
 * if the value is valid or has another name.
 */
export function findApplicationProblem(name: string, value: string): string | undefined {
  if (name !== 'clientId' && name !== 'clientSecret') return undefined;
  const length = lengths[name];
  if (isPrintable(value, length)) return undefined;
  return `must be ${length} printable ASCII characters (got ${describeLength(value, length)})`;
}
