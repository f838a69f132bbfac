import { describeLength } from '../../schema/unknown-values.js';
import { type Rule, rule } from '../../transport/request/input.js';

const printable = /^[\x21-\x7e]+$/;

function textOfLength(length: number): Rule {
  return rule(
    `${length} printable ASCII characters`,
    (value) => typeof value === 'string' && value.length === length && printable.test(value),
    { type: 'string', pattern: `^[!-~]{${length}}$` },
  );
}

/** Validation rule for a client ID. */
export const clientId = textOfLength(20);

/** Validation rule for a client secret. */
export const clientSecret = textOfLength(40);

const rules: Readonly<Record<string, Rule>> = { clientId, clientSecret };

/**
 * Returns the problem with one part of an application's credentials, without showing its value.
 * Undefined if the part is valid or isn't an application's.
 */
export function findApplicationProblem(name: string, value: string): string | undefined {
  const expectation = rules[name];
  const isValid: boolean = expectation === undefined || expectation.test(value);
  if (!expectation || isValid) return undefined;
  const got = printable.test(value) ? describeLength(value) : 'other characters';
  return `must be ${expectation.expected} (got ${got})`;
}
