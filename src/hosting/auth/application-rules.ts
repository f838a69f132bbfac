import { type Rule, rule } from '../../transport/request/input.js';

function textOf(length: number): Rule {
  return rule(
    `${length} printable ASCII characters`,
    (value) => typeof value === 'string' && value.length === length && /^[\x21-\x7e]+$/.test(value),
  );
}

/** The client id of an OAuth application. */
export const clientId = textOf(20);

/** The client secret of an OAuth application. */
export const clientSecret = textOf(40);
