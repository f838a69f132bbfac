import { type Rule, rule } from '../transport/input.js';

function textOf(length: number): Rule {
  return rule(
    `a string of ${length} characters`,
    (value) => typeof value === 'string' && value.length === length,
  );
}

/** The client id of an OAuth application (contract section "Limits"). */
export const clientId = textOf(20);

/** The client secret of an OAuth application (contract section "Limits"). */
export const clientSecret = textOf(40);
