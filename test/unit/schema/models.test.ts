import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as exported from '../../../src/hosting/index.js';
import { defineList, findIssues, isModel, type Model, ref } from '../../../src/schema/model.js';
import * as fields from '../../contract/hosting-fields.js';
import { everySchema, objectsOf, unwrap } from '../../contract/schema-reader.js';
import { heldFields, replaced, type Tree, wrongValues } from '../../contract/tree.js';
import { sampleOf, samples } from '../hosting/samples.js';

const {
  CommitComment,
  FileCommit,
  GitReference,
  Hook,
  PagesBuild,
  PagesSite,
  PullRequest,
  Release,
  Repository,
  User,
} = exported;

const allModels: readonly Model<unknown>[] = [
  ...Object.values(exported).flatMap((each: unknown) => (isModel(each) ? [each] : [])),
];

/** Schema kinds that return values unchanged. */
const plain = new Set([
  'array',
  'boolean',
  'literal',
  'null',
  'nullable',
  'number',
  'object',
  'optional',
  'record',
  'string',
  'tuple',
  'union',
]);

it('the list of schema kinds without transforms excludes z.stringbool, z._default and z.catch', () => {
  const kinds = [z.stringbool(), z._default(z.string(), 'x'), z.catch(z.string(), 'x')];
  for (const schema of kinds) expect(plain).not.toContain(schema._zod.def.type);
});

describe('hosting models', () => {
  it.each(allModels)('$name has no transform, default or coercion', (model) => {
    for (const { path, schema } of everySchema(model)) {
      expect(plain, `${path}: add the kind to plain if it returns values unchanged`).toContain(
        schema._zod.def.type,
      );
      expect('coerce' in schema._zod.def && schema._zod.def.coerce, path).not.toBe(true);
      for (const check of schema._zod.def.checks ?? []) {
        expect(check._zod.def.check, path).not.toBe('overwrite');
      }
    }
  });

  it.each(samples)('$model.name has a sample with every declared field', ({ model, maximal }) => {
    expect(unusedFields(ref(model), maximal, model.name)).toEqual([]);
  });

  it.each(samples)(
    '$model.name keeps unknown attributes of a response',
    async ({ model, maximal }) => {
      expect(findIssues(model, maximal)).toBeUndefined();
      const value = { ...maximal, node_id: 'MDQ6', from_the_future: { a: [1] } };
      expect(await model['~standard'].validate(value)).toEqual({ value });
      expect(findIssues(defineList(model), [maximal, value])).toBeUndefined();
    },
  );

  it.each(samples)('$model.name accepts a sample without optional fields', ({ model, maximal }) => {
    expect(findIssues(model, least(ref(model), maximal))).toBeUndefined();
  });

  it.each(samples)('$model.name accepts null in every optional field', ({ model, maximal }) => {
    for (const object of objectsOf(ref(model))) {
      for (const [name, field] of Object.entries(object._zod.def.shape)) {
        const { optional, nullable } = unwrap(field);
        if (!optional) continue;
        expect(nullable, `${model.name}.${name} must accept null`).toBe(true);
        if (objectsOf(ref(model)).length > 1) continue;
        expect(findIssues(model, { ...maximal, [name]: null }), name).toBeUndefined();
      }
    }
  });

  it.each(samples)(
    '$model.name reports a value of the wrong type anywhere in its sample',
    ({ model, maximal }) => {
      for (const path of pathsWithin(maximal)) {
        const wrong = path.reduce<unknown>(at, maximal) instanceof Object ? 'text' : {};
        const issues = findIssues(model, replaced(maximal, path, wrong));
        expect(
          issues?.some((issue) => path.join('.').startsWith(issue.path?.join('.') ?? '')),
          `${path.join('.')} = ${JSON.stringify(wrong)}`,
        ).toBe(true);
      }
    },
  );

  it.each(samples)('$model.name reports each missing required field', ({ model, maximal }) => {
    for (const object of objectsOf(ref(model))) {
      for (const [name, field] of Object.entries(object._zod.def.shape)) {
        const value = Object.fromEntries(Object.entries(maximal).filter(([key]) => key !== name));
        const paths = findIssues(model, value)?.map((issue) => issue.path);
        expect(paths, name).toEqual(unwrap(field).optional ? undefined : [[name]]);
      }
    }
  });
});

const trees: readonly (readonly [Model<object>, Tree])[] = [
  [User, fields.user],
  [exported.Authorization, fields.authorization],
  [exported.Team, fields.team],
  [Repository, { ...fields.repository, ...fields.repositoryDeprecated }],
  [Release, fields.release],
  [CommitComment, fields.commitComment],
  [GitReference, fields.gitReference],
  [exported.ContentFile, fields.contentFile],
  [exported.ContentSymlink, fields.contentSymlink],
  [exported.ContentSubmodule, fields.contentSubmodule],
  [FileCommit, fields.fileCommit],
  [PagesSite, fields.pagesSite],
  [PagesBuild, fields.pagesBuild],
  [PullRequest, fields.pullRequest],
  [Hook, fields.hook],
  [exported.Download, fields.download],
  [exported.AdminStats, fields.adminStats],
];

it('PagesBuild accepts a running build whose duration is null', () => {
  expect(findIssues(PagesBuild, { ...sampleOf(PagesBuild), duration: null })).toBeUndefined();
});

describe('contract models', () => {
  it.each(trees.map(([model, tree]) => ({ name: model.name, model, tree })))(
    '$name reports the path of each field with a wrong type',
    (each) => {
      const value = sampleOf(each.model);
      for (const { path, leaf } of heldFields(each.tree, value)) {
        for (const wrong of wrongValues(leaf)) {
          // Some servers send this field as a number. See HookConfig.
          if (path.at(-1) === 'insecure_ssl' && wrong === 42) continue;
          const paths = findIssues(each.model, replaced(value, path, wrong))?.map(
            (issue) => issue.path,
          );
          expect(paths, `${path.join('.')} = ${JSON.stringify(wrong)}`).toEqual([path]);
        }
      }
    },
  );
});

function at(value: unknown, name: PropertyKey): unknown {
  return isObject(value) || Array.isArray(value) ? Reflect.get(value, name) : undefined;
}

/** Returns the paths of all nested values. */
function pathsWithin(
  value: unknown,
  path: readonly (string | number)[] = [],
): (string | number)[][] {
  if (!isObject(value) && !Array.isArray(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const here = [...path, Array.isArray(value) ? Number(key) : key];
    return [here, ...pathsWithin(inner, here)];
  });
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/**
 * Returns declared fields that are missing from the value, at any depth. Union members are checked
 * separately.
 */
function unusedFields(schema: z.core.$ZodType, value: unknown, path: string): string[] {
  const inner = unwrap(schema).schema;
  if (inner instanceof z.core.$ZodArray) {
    const items: readonly unknown[] = Array.isArray(value) ? value : [];
    return items.flatMap((item) => unusedFields(inner._zod.def.element, item, `${path}[]`));
  }
  if (!(inner instanceof z.core.$ZodObject) || !isObject(value)) return [];
  return Object.entries(inner._zod.def.shape).flatMap(([name, field]) => {
    const here = `${path}.${name}`;
    if (value[name] === undefined || value[name] === null) return [here];
    return unusedFields(field, value[name], here);
  });
}

/** Removes optional fields and sets nullable fields to null. */
function least(schema: z.core.$ZodType, value: unknown): unknown {
  const { schema: inner, nullable } = unwrap(schema);
  if (nullable) return null;
  if (inner instanceof z.core.$ZodArray && Array.isArray(value)) {
    return value.map((item) => least(inner._zod.def.element, item));
  }
  if (!(inner instanceof z.core.$ZodObject) || !isObject(value)) return value;
  const required = Object.entries(inner._zod.def.shape).filter(
    ([, field]) => !unwrap(field).optional,
  );
  return Object.fromEntries(required.map(([name, field]) => [name, least(field, value[name])]));
}
