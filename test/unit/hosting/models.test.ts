import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as exported from '../../../src/hosting/index.js';
import { defineList, findIssues, isModel, type Model, ref } from '../../../src/schema/model.js';
import { everySchema, objectsOf, unwrap } from '../../contract/schema-reader.js';
import { replaced } from '../../contract/tree.js';
import { sampleOf, samples } from './samples.js';

const {
  CommitComment,
  ContentEntry,
  ContentItem,
  ContentResult,
  FileCommit,
  Hook,
  PagesBuild,
  PagesSite,
  PullCommit,
  PullRequest,
  RateLimitStatus,
  Release,
  Repository,
  TeamSummary,
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
        const wrong = wrongValue(path.reduce<unknown>(at, maximal));
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
  const file = sampleOf(ContentItem);

  it.each<[model: Model<object>, nullable: readonly string[]]>([
    [User, ['gravatar_id']],
    [Repository, ['description', 'language', 'pushed_at']],
    [PullRequest, ['body', 'closed_at', 'merged_at', 'merge_commit_sha', 'mergeable', 'user']],
    [Release, ['name', 'body', 'published_at', 'tarball_url', 'zipball_url', 'author']],
    [exported.ReleaseAsset, ['label', 'uploader']],
    [ContentItem, ['git_url', 'html_url', 'download_url']],
    [FileCommit, ['content']],
    [CommitComment, ['path', 'position', 'line', 'user']],
    [PagesSite, ['status', 'cname']],
    [PagesBuild, ['duration', 'pusher']],
    [exported.Authorization, ['note', 'note_url', 'user']],
    [PullCommit, ['committer']],
  ])('$0.name accepts null in its nullable fields', (model, nullable) => {
    const value = Object.fromEntries(nullable.map((name) => [name, null]));
    expect(findIssues(model, { ...sampleOf(model), ...value })).toBeUndefined();
  });

  const deprecated = ['forks', 'master_branch', 'open_issues', 'public', 'watchers'];
  const repository = Object.fromEntries(
    Object.entries(sampleOf(Repository)).filter(([name]) => !deprecated.includes(name)),
  );
  const pull = sampleOf(PullRequest);
  const gone = { label: null, ref: 'main', sha: pull.head.sha, user: null, repo: null };
  it.each<[what: string, model: Model<unknown>, value: unknown]>([
    ['a repository without the deprecated attributes', Repository, repository],
    ['a pull request whose fork was deleted', PullRequest, { ...pull, head: gone }],
    ['a submodule listed as a file', ContentItem, { ...file, size: 0 }],
    ['a file that is too large', ContentEntry, { ...file, encoding: 'none', content: '' }],
    ['the listing of an empty directory', ContentResult, []],
    ['a directory listing', ContentResult, [file, { ...file, type: 'dir', size: 0 }]],
    ['the settings of a service', Hook, { ...sampleOf(Hook), config: { port: 6667, ssl: true } }],
    ['a team without a permission', TeamSummary, { url: 'u', name: 'n', id: 1 }],
    ['a commit with the author {}', PullCommit, { ...sampleOf(PullCommit), author: {} }],
    ['rate limits from a 2012 server', RateLimitStatus, { rate: { limit: 5000, remaining: 4929 } }],
  ])('the corresponding model accepts %s', (_what, model, value) => {
    expect(findIssues(model, value)).toBeUndefined();
  });

  it('a union model reports the path of an invalid field', () => {
    const paths = (model: Model<unknown>, value: unknown) =>
      findIssues(model, value)?.map((issue) => issue.path);
    expect(paths(ContentResult, [file, { ...file, size: '3' }])).toEqual([[1, 'size']]);
    expect(paths(ContentResult, { ...file, type: 'blob' })).toEqual([['type']]);
    expect(paths(ContentEntry, { ...file, type: 'file', encoding: 'base64' })).toEqual([
      ['content'],
    ]);
  });
});

/** Returns a value of another type. All numbers in the hosting API are integers. */
function wrongValue(value: unknown): unknown {
  if (typeof value === 'number') return 1.5;
  return typeof value === 'object' ? 'text' : {};
}

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
