import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import { clientMethods } from '../../../../scripts/docs/client-methods.js';
import {
  filledText,
  flag,
  id,
  integer,
  type JsonSchema,
  name,
  nullable,
  oneOf,
  type Rule,
  record,
  text,
  texts,
} from '../../../../src/transport/request/input.js';

const rules: Readonly<Record<string, Rule>> = {
  text,
  filledText,
  'integer(1, 100)': integer(1, 100),
  id,
  flag,
  oneOf: oneOf('open', 'closed'),
  texts,
  record,
  name,
  'nullable(text)': nullable(text),
  'nullable(integer(1))': nullable(integer(1)),
  'nullable(oneOf)': nullable(oneOf('open')),
};

const values: readonly unknown[] = [
  ...[null, true, '', 'a', 'a/b', 'open', 'closed', '1', -1, 0, 1, 1.5, 100, 101],
  ...[[], ['a'], [1], [null], {}, { a: 1 }],
];

function accepts(schema: JsonSchema | undefined, value: unknown): boolean {
  return z.fromJSONSchema(schema ?? {}).safeParse(value).success;
}

describe("a rule's JSON Schema", () => {
  it.each(Object.entries(rules))(
    'the JSON Schema of the rule %s accepts exactly the values that the rule accepts',
    (_, rule) => {
      for (const value of values) {
        expect([value, accepts(rule.schema, value)]).toEqual([value, rule.test(value)]);
      }
    },
  );

  it('each field that a method sends has a JSON Schema', () => {
    const missing = clientMethods().flatMap(({ name: method, endpoint }) =>
      Object.entries<Rule>(endpoint?.fields ?? endpoint?.input ?? {}).flatMap(
        ([field, { schema }]) => (schema === undefined ? [`${method}: ${field}`] : []),
      ),
    );
    expect(missing).toEqual([]);
  });
});
