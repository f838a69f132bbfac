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

  const user2012 = {
    login: 'mona',
    id: 1,
    avatar_url: 'https://a.example.com/1',
    gravatar_id: null,
    url: 'https://code.example.com/api/v3/users/mona',
  };
  const file = sampleOf(ContentItem);
  const foreign = { ...file, git_url: null, html_url: null, download_url: null };
  const foreignLinks = { ...file._links, git: null, html: null };
  const pull = sampleOf(PullRequest);
  const gone = { label: null, ref: 'main', sha: pull.head.sha, user: null, repo: null };

  it.each<[what: string, model: Model<unknown>, value: unknown]>([
    ['a user from 2012', User, user2012],
    [
      'a repository from 2012 without full_name',
      Repository,
      {
        id: 1,
        name: 'a',
        owner: user2012,
        private: false,
        fork: false,
        description: null,
        url: 'u',
        html_url: 'h',
        master_branch: null,
        forks: 2,
        watchers: 13,
        open_issues: 17,
      },
    ],
    [
      'an empty repository',
      Repository,
      { ...sampleOf(Repository), pushed_at: null, language: null },
    ],
    [
      'a pull request whose fork and author were deleted',
      PullRequest,
      { ...pull, head: gone, user: null },
    ],
    [
      'a pull request that is not merged',
      PullRequest,
      {
        ...pull,
        closed_at: null,
        merged_at: null,
        merge_commit_sha: null,
        mergeable: null,
        merged_by: null,
        body: null,
      },
    ],
    [
      'a draft release',
      Release,
      {
        ...sampleOf(Release),
        draft: true,
        published_at: null,
        name: null,
        body: null,
        tarball_url: null,
        zipball_url: null,
        author: null,
      },
    ],
    [
      'a release asset without a label or an uploader',
      exported.ReleaseAsset,
      {
        ...sampleOf(exported.ReleaseAsset),
        label: null,
        uploader: null,
      },
    ],
    ['a submodule listed as a file', ContentItem, { ...foreign, size: 0, _links: foreignLinks }],
    [
      'a submodule listed as a submodule',
      ContentItem,
      {
        ...foreign,
        type: 'submodule',
        submodule_git_url: undefined,
        _links: foreignLinks,
      },
    ],
    ['a symlink listed without a target', ContentItem, { ...file, type: 'symlink' }],
    [
      'a submodule on another host',
      ContentEntry,
      {
        ...foreign,
        type: 'submodule',
        submodule_git_url: 'git://x.example.com/y.git',
        _links: foreignLinks,
      },
    ],
    [
      'a file that is too large to be included',
      ContentEntry,
      { ...file, encoding: 'none', content: '' },
    ],
    ['the listing of an empty directory', ContentResult, []],
    ['a directory listing', ContentResult, [file, { ...file, type: 'dir', size: 0 }]],
    ['the response to a file deletion', FileCommit, { ...sampleOf(FileCommit), content: null }],
    [
      'a comment on a whole commit',
      CommitComment,
      {
        ...sampleOf(CommitComment),
        path: null,
        position: null,
        line: null,
        user: null,
      },
    ],
    [
      'a Pages site that is not built yet',
      PagesSite,
      { ...sampleOf(PagesSite), status: null, cname: null },
    ],
    ['a running Pages build', PagesBuild, { ...sampleOf(PagesBuild), duration: null }],
    [
      'a successful Pages build',
      PagesBuild,
      { ...sampleOf(PagesBuild), error: { message: null }, pusher: null },
    ],
    [
      'a hook of the irc service',
      Hook,
      {
        ...sampleOf(Hook),
        name: 'irc',
        config: { server: 'irc.example.com', port: 6667, ssl: true, nick: null },
      },
    ],
    ['a team without a permission', TeamSummary, { url: 'u', name: 'n', id: 1 }],
    [
      'an authorization whose token is no longer shown',
      exported.Authorization,
      {
        ...sampleOf(exported.Authorization),
        token: '',
        note: null,
        note_url: null,
        user: null,
      },
    ],
    [
      "a commit whose author the server can't identify",
      PullCommit,
      {
        ...sampleOf(PullCommit),
        author: {},
        committer: null,
      },
    ],
    ['rate limits from a 2012 server', RateLimitStatus, { rate: { limit: 5000, remaining: 4929 } }],
    [
      'rate limits from a current server',
      RateLimitStatus,
      {
        resources: {
          core: { limit: 60, remaining: 59, reset: 1 },
          graphql: { limit: 0, remaining: 0, reset: 1 },
        },
      },
    ],
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
