import { describe, expect, it } from 'vitest';
import { findIssues, fits, isModel, type Model } from '../../../src/schema/model.js';
import * as models from '../../../src/support/index.js';
import { AuthenticationResponse } from '../../../src/support/models/session.js';
import {
  contact,
  profile,
  sampleOf,
  supportCase,
  wrongFor,
} from '../../contract/support-console-trees.js';
import { heldFields, replaced, type Tree } from '../../contract/tree.js';

const outcome = { success: 'boolean', statusMessage: 'string' } as const satisfies Tree;

/** Each model, its fields, and its required fields. */
const resources: readonly {
  readonly model: Model<unknown>;
  readonly tree: Tree;
  readonly required: readonly string[];
}[] = [
  { model: models.Contact, tree: contact, required: ['id'] },
  { model: models.ContactProfile, tree: profile, required: [] },
  { model: models.ContactNote, tree: contact.notes[0], required: [] },
  { model: models.SupportCase, tree: supportCase, required: ['id'] },
  { model: models.Campaign, tree: supportCase.campaign, required: [] },
  { model: models.Message, tree: { source: 'string', ext_id: 'string' }, required: [] },
  { model: models.TagRecord, tree: { name: 'string' }, required: [] },
  { model: models.Me, tree: { ...outcome, logged_in: 'boolean' }, required: ['logged_in'] },
  {
    model: AuthenticationResponse,
    tree: { ...outcome, access_token: 'string', expires: 'string' },
    required: [],
  },
  {
    model: models.ContactCreated,
    tree: { ...outcome, contact_id: 'integer', data: contact },
    required: [],
  },
  {
    model: models.CaseCreated,
    tree: { ...outcome, case_id: 'integer', data: supportCase },
    required: ['case_id'],
  },
];

const titled = resources.map((each) => ({ ...each, name: each.model.name }));

describe('support API models', () => {
  it('the package exports exactly the models in these tests', () => {
    const known: unknown[] = [models.Tag, ...resources.map(({ model }) => model)];
    const exported = [AuthenticationResponse, ...Object.values(models)].filter((each: unknown) =>
      isModel(each),
    );
    expect(new Set(exported)).toEqual(new Set(known));
  });

  it.each(titled)('$name accepts a sample that contains every field', ({ model, tree }) => {
    expect(findIssues(model, sampleOf(tree))).toBeUndefined();
  });

  it.each(titled)('$name reports the path of each field with a wrong type', ({ model, tree }) => {
    const sample = sampleOf(tree);
    for (const { path, leaf } of heldFields(tree, sample)) {
      for (const wrong of wrongFor(path, leaf)) {
        const issues = findIssues(model, replaced(sample, path, wrong));
        expect(
          issues?.map((issue) => issue.path),
          `${path.join('.')} = ${JSON.stringify(wrong)}`,
        ).toEqual([path]);
      }
    }
  });

  it.each(titled)('$name accepts null in every optional field', ({ model, tree, required }) => {
    const sample = sampleOf(tree);
    const neverBlank = new Set([...required, 'id', 'contact_id']);
    for (const { path } of heldFields(tree, sample)) {
      // A nested contact's ID is also required.
      if (neverBlank.has(String(path.at(-1))) && !path.includes('profiles')) continue;
      const where = path.join('.');
      expect(findIssues(model, replaced(sample, path, null)), where).toBeUndefined();
    }
  });

  it.each(titled)('$name reports each missing required field', ({ model, tree, required }) => {
    const sample = sampleOf(tree);
    const least = Object.fromEntries(required.map((name) => [name, sample[name]]));
    expect(findIssues(model, least)).toBeUndefined();
    for (const name of required) {
      const { [name]: _left, ...rest } = sample;
      expect(
        findIssues(model, rest)?.map(({ path }) => path),
        name,
      ).toEqual([[name]]);
    }
  });

  it('Contact and SupportCase keep dynamic attributes', async () => {
    const value: unknown = { id: 1, shoe_size: '42', nested: { any: [1] } };
    expect(await models.Contact['~standard'].validate(value)).toEqual({ value });
    expect(await models.SupportCase['~standard'].validate(value)).toEqual({ value });
  });

  it('ContactProfile and SupportCase accept an unknown source or state', () => {
    expect(fits(models.ContactProfile, { source: 'instagram' })).toBe(true);
    expect(fits(models.SupportCase, { id: 1, state: 'Parked' })).toBe(true);
  });

  it('Tag accepts a name or a record', () => {
    expect(fits(models.Tag, 'vip')).toBe(true);
    expect(fits(models.Tag, { id: 3, name: 'vip' })).toBe(true);
    expect(findIssues(models.Tag, 42)).toHaveLength(1);
  });
});
