import { type Rule, rule } from '../../transport/request/input.js';

function textOfLength(length: number): Rule {
  return rule(
    `${length} printable ASCII characters`,
    (value) => typeof value === 'string' && value.length === length && /^[\x21-\x7e]+$/.test(value),
    { type: 'string', pattern: `^[!-~]{${length}}$` },
  );
}

/** Validation rule of a client ID. */
export const clientId = textOfLength(20);

/** Validation rule of a client secret. */
export const clientSecret = textOfLength(40);
