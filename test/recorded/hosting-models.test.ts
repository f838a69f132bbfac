import { describe, expect, it } from 'vitest';
import { findIssues, fits } from '../../src/schema/model.js';
import { type Held, heldFields, replaced, wrongValues } from '../contract/tree.js';
import { findModel, type ResponseModel } from './hosting-operations.js';
import { formatTitle, loadRecordings, recordingsAvailable, recordingsNote } from './recordings.js';

interface Case {
  readonly title: string;
  readonly body: unknown;
  readonly response: ResponseModel;
}

const cases = loadRecordings('hosting-and-console.ndjson').flatMap((recording): Case[] => {
  const response = findModel(recording);
  if (!response) return [];
  const body: unknown = JSON.parse(recording.response.body);
  return [{ title: formatTitle(recording), body, response }];
});

function heldBy({ response, body }: Case): Held[] {
  if (!response.list) return heldFields(response.tree, body);
  const items = Array.isArray(body) ? body : [];
  return items.flatMap((item, index) => heldFields(response.tree, item, [index]));
}

/**
 * Returns at most one value and one null for each field, because other array items test the same
 * field.
 */
function distinct(held: readonly Held[], body: unknown): Held[] {
  const byKind = new Map<string, Held>();
  for (const each of held) {
    const kind = `${each.path.map((part) => (typeof part === 'number' ? '*' : part)).join('.')} ${valueAt(body, each.path) === null}`;
    if (!byKind.has(kind)) byKind.set(kind, each);
  }
  return [...byKind.values()];
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (inner, part) =>
      typeof inner === 'object' && inner !== null ? Reflect.get(inner, part) : undefined,
    value,
  );
}

describe.skipIf(!recordingsAvailable)(`recorded hosting responses (${recordingsNote})`, () => {
  it('recordings include more than 150 responses with a model', () => {
    expect(cases.length).toBeGreaterThan(150);
  });

  it.each(cases.map((each) => [each.title, each] as const))(
    'the model accepts the recorded response of %s',
    (_title, { response, body }) => {
      expect(findIssues(response.model, body)).toBeUndefined();
      expect(fits(response.model, body)).toBe(true);
    },
  );

  it.each(cases.map((each) => [each.title, each] as const))(
    'validation reports the path of each field with a wrong type in %s',
    (_title, each) => {
      const { response, body } = each;
      for (const { path, leaf } of distinct(heldBy(each), body)) {
        for (const wrong of wrongValues(leaf)) {
          const issues = findIssues(response.model, replaced(body, path, wrong));
          expect(
            issues?.map((issue) => issue.path),
            `${path.join('.')} = ${JSON.stringify(wrong)}`,
          ).toEqual([path]);
        }
      }
    },
  );
});
