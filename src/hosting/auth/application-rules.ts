import { type Rule, rule } from '../../transport/request/input.js';

function textOfLength(length: number): Rule {
  return rule(
    `${length} printable ASCII characters`,
    (value) => typeof value === 'string' && value.length === length && /^[\x21-\x7e]+$/.test(value),
    { type: 'string', pattern: `^[!-~]{${length}}$` },
  );
}

/** Validation rule for a client ID. */
export const clientId = textOfLength(20);

/** Validation rule for a client secret. */
export const clientSecret = textOfLength(40);
