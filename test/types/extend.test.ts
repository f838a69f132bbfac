import type { Readable } from 'node:stream';
import { expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import type { ConsoleClient } from '../../src/console/index.js';
import {
  endpoint,
  filledText,
  flag,
  integer,
  oneOf,
  optional,
  paging,
  rule,
  text,
  texts,
} from '../../src/extend/index.js';
import { type HostingClient, type Paginated, User } from '../../src/hosting/index.js';
import type { SupportClient } from '../../src/support/index.js';

declare const hosting: HostingClient;
declare const support: SupportClient;
declare const appliance: ConsoleClient;
const Issue = z.object({ number: z.int(), title: z.string() });
type Issue = z.infer<typeof Issue>;
const inRepo = { owner: filledText, repo: filledText };
const repo = { owner: 'acme', repo: 'rocket' };
const state = oneOf('open', 'closed');
const path = '/repos/{owner}/{repo}/issues';

// This function is never called. Only the compiler checks its calls.
const extended = () =>
  hosting.extend({
    issues: {
      list: endpoint({
        path,
        input: { ...inRepo, ...paging, state: optional(state) },
        schema: Issue,
        paginate: 'link',
      }),
      create: endpoint({
        method: 'POST',
        path,
        input: { ...inRepo, title: text, labels: optional(texts) },
        schema: Issue,
      }),
      file: endpoint({
        path: '/repos/{owner}/files{/path*}',
        input: { owner: filledText, path: filledText },
        responseType: 'stream',
      }),
      isLocked: endpoint({
        path: '/issues/{number}/lock',
        input: { number: integer(1) },
        responseType: 'exists',
      }),
      lock: endpoint({ method: 'PUT', path: '/lock', responseType: 'none', retry: 'idempotent' }),
      raw: endpoint({ path: '/raw', auth: 'basic' }),
      author: endpoint({ path: '/author', schema: User }),
    },
    releases: { notes: endpoint({ path: '/notes', schema: z.object({ body: z.string() }) }) },
  });
type Extended = ReturnType<typeof extended>;

const calls = {
  list: (client: Extended) => client.issues.list({ ...repo, state: 'open' }, { prefetch: false }),
  own: (client: Extended) => client.issues.list(repo).as(z.string()),
  ours: (client: Extended) => client.releases.get({ ...repo, id: 1 }),
  create: (client: Extended) => client.issues.create({ ...repo, title: 'Lift-off' }),
  file: (client: Extended) => client.issues.file({ owner: 'acme', path: 'a/b' }),
  isLocked: (client: Extended) => client.issues.isLocked({ number: 1 }),
  raw: (client: Extended) => client.issues.raw({}, { auth: { type: 'none' } }),
  author: (client: Extended) => client.issues.author(),
  beside: (client: Extended) => client.releases.notes(),
  again: (client: Extended) => client.withAuth({ type: 'none' }).issues.lock(),
  twice: (client: Extended) =>
    client.extend({ issues: { unlock: endpoint({ path: '/lock' }) } }).issues.lock(),
  // @ts-expect-error the title is missing
  missing: (client: Extended) => client.issues.create(repo),
  // @ts-expect-error the values of the path variables are missing
  nothing: (client: Extended) => client.issues.isLocked(),
  // @ts-expect-error the input `sort` has no rule
  unknown: (client: Extended) => client.issues.list({ ...repo, sort: 'created' }),
  // @ts-expect-error a value that the enumeration doesn't contain
  word: (client: Extended) => client.issues.list({ ...repo, state: 'done' }),
  // @ts-expect-error a response without JSON has nothing to validate
  schema: (client: Extended) => client.issues.lock({}).as(Issue),
};

type Result<Name extends keyof typeof calls> = Awaited<ReturnType<(typeof calls)[Name]>>;

const wrong = () => [
  // @ts-expect-error {repo} has no rule
  endpoint({ path: '/repos/{owner}/{repo}', input: { owner: filledText } }),
  // @ts-expect-error {owner} has no rule
  endpoint({ path: '/users/{owner}' }),
  // @ts-expect-error a path variable can't be optional
  endpoint({ path: '/users/{owner}', input: { owner: optional(text) } }),
  // @ts-expect-error a path variable can't be a boolean
  endpoint({ path: '/users/{owner}', input: { owner: flag } }),
  // @ts-expect-error an unknown value of retry
  endpoint({ path: '/x', retry: 'always' }),
  // @ts-expect-error an unknown input
  endpoint({ path: '/x', input: { a: text }, secret: ['b'] }),
  // @ts-expect-error the guard narrows to string, but the rule is for numbers
  rule<number>('a number', (value): value is string => typeof value === 'string'),
  // @ts-expect-error a plain object isn't an endpoint
  hosting.extend({ issues: { list: { path: '/issues' } } }),
  // @ts-expect-error the hosting API doesn't support this scheme
  hosting.extend({ issues: { list: endpoint({ path: '/issues', auth: 'none' }) } }),
  // @ts-expect-error the support API has only one scheme
  support.extend({ cases: { all: endpoint({ path: '/cases', auth: 'basic' }) } }),
  appliance.extend({ nodes: { all: endpoint({ path: '/nodes', auth: 'none' }) } }),
];

it('extend() returns a client whose methods have the declared types', () => {
  expectTypeOf<ReturnType<typeof calls.list>>().toEqualTypeOf<Paginated<Issue>>();
  expectTypeOf<ReturnType<typeof calls.own>>().toEqualTypeOf<Paginated<string>>();
  expectTypeOf<Parameters<Extended['issues']['list']>[0]>().toEqualTypeOf<{
    readonly owner: string;
    readonly repo: string;
    readonly page?: number | undefined;
    readonly per_page?: number | undefined;
    readonly state?: 'open' | 'closed' | undefined;
  }>();
  expectTypeOf<Parameters<Extended['issues']['create']>[0]>().toEqualTypeOf<{
    readonly owner: string;
    readonly repo: string;
    readonly title: string;
    readonly labels?: readonly string[] | undefined;
  }>();
  expectTypeOf<Result<'create'>>().toEqualTypeOf<Issue>();
  expectTypeOf<Result<'file'>>().toEqualTypeOf<Readable>();
  expectTypeOf<Result<'isLocked'>>().toEqualTypeOf<boolean>();
  expectTypeOf<Result<'again'>>().toEqualTypeOf<undefined>();
  expectTypeOf<Result<'raw'>>().toBeUnknown();
  expectTypeOf<Result<'author'>>().toEqualTypeOf<User>();
  expectTypeOf<Result<'beside'>>().toEqualTypeOf<{ body: string }>();
  expectTypeOf(wrong).returns.not.toBeNever();
});
