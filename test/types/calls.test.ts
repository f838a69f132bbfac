import type { Readable } from 'node:stream';
import { expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import type {
  DownloadedFile,
  DownloadResult,
  HostingDownloadOptions,
  HostingRequestOptions,
  PullRequest,
} from '../../src/hosting/index.js';
import type { Call, ConsoleClient, HostingClient, Paginated } from '../../src/index.js';
import type { Contact, SupportClient } from '../../src/support/index.js';
import type { RouteInputs } from '../../src/transport/base-client.js';

// The compiler checks the expectations in this file. Nothing is sent.
declare const hosting: HostingClient;
declare const support: SupportClient;
declare const appliance: ConsoleClient;
const Repo = z.object({ full_name: z.string() });
type Repo = z.infer<typeof Repo>;
const Titled = z.object({ title: z.string() });
type Titled = z.infer<typeof Titled>;
const repo = { owner: 'acme', repo: 'rocket' };
const pull = { ...repo, number: 1 };
const asset = { ...repo, id: 1 };
const file = { ...repo, path: 'a.txt', message: 'Add a' };
const client_id = 'a'.repeat(20);
const client_secret = 'b'.repeat(40);
const url = 'https://example.com/hook';
const sha = 'c'.repeat(40);
/** Takes a function that only the compiler checks. */
const run = (_test: (flag: boolean, name: string) => unknown) => undefined;

// These functions are never called. Only the compiler checks their results.
const validated = {
  own: () => hosting.pulls.get(pull).as(Titled),
  model: () => hosting.pulls.get(pull),
  options: (options: HostingRequestOptions) => hosting.pulls.get(pull, options),
  list: () => hosting.pulls.list(pull, { prefetch: false }).as(Titled),
  search: () => support.contacts.search().as(Titled),
  contacts: () => support.contacts.search(),
  nullable: () => hosting.applications.checkToken({ client_id: 'a', access_token: 'b' }).as(Titled),
  // @ts-expect-error a type argument can't replace a schema
  unfounded: () => hosting.pulls.get<Titled>(pull),
  // @ts-expect-error a response without JSON has nothing to validate
  nothing: () => hosting.hooks.delete(asset).as(Titled),
};

it('as() changes the result type from the model to the schema', () => {
  expectTypeOf<Awaited<ReturnType<typeof validated.own>>>().toEqualTypeOf<Titled>();
  expectTypeOf<Awaited<ReturnType<typeof validated.model>>>().toEqualTypeOf<PullRequest>();
  expectTypeOf<Awaited<ReturnType<typeof validated.options>>>().toEqualTypeOf<PullRequest>();
  expectTypeOf(validated.list)
    .returns.toHaveProperty('first')
    .returns.resolves.toEqualTypeOf<Titled | undefined>();
  expectTypeOf(validated.search)
    .returns.toHaveProperty('toArray')
    .returns.resolves.toEqualTypeOf<Titled[]>();
  expectTypeOf(validated.contacts)
    .returns.toHaveProperty('toArray')
    .returns.resolves.toEqualTypeOf<Contact[]>();
  expectTypeOf<Awaited<ReturnType<typeof validated.nullable>>>().toEqualTypeOf<Titled | null>();
});

const downloads = {
  none: () => hosting.releases.downloadAsset(asset),
  options: (options: HostingRequestOptions) => hosting.releases.downloadAsset(asset, options),
  stream: () => hosting.releases.downloadAsset(asset, { as: 'stream' }),
  web: () => hosting.releases.downloadAsset(asset, { as: 'web', retry: false }),
  bytes: () => hosting.releases.downloadAsset(asset, { as: 'bytes' }),
  file: () =>
    hosting.releases.downloadAsset(asset, {
      to: 'rocket.zip',
      onProgress: ({ received, total }) => received / (total ?? 1),
    }),
  maybe: (options: { readonly as?: 'web' }) => hosting.releases.downloadAsset(asset, options),
  any: (options: HostingDownloadOptions) => hosting.releases.downloadAsset(asset, options),
  // @ts-expect-error there is no option with this name
  typo: () => hosting.releases.downloadAsset(asset, { to: 'rocket.zip', onprogress: () => 1 }),
  // @ts-expect-error `as` doesn't accept this value
  word: () => hosting.releases.downloadAsset(asset, { as: 'blob' }),
};

it('downloadAsset() returns a type that depends on the options', () => {
  expectTypeOf<Awaited<ReturnType<typeof downloads.none>>>().toEqualTypeOf<Readable>();
  expectTypeOf<Awaited<ReturnType<typeof downloads.options>>>().toEqualTypeOf<Readable>();
  expectTypeOf<Awaited<ReturnType<typeof downloads.stream>>>().toEqualTypeOf<Readable>();
  expectTypeOf<Awaited<ReturnType<typeof downloads.web>>>().toEqualTypeOf<
    ReadableStream<Uint8Array>
  >();
  expectTypeOf<Awaited<ReturnType<typeof downloads.bytes>>>().toEqualTypeOf<Uint8Array>();
  expectTypeOf<Awaited<ReturnType<typeof downloads.file>>>().toEqualTypeOf<DownloadedFile>();
  expectTypeOf<Awaited<ReturnType<typeof downloads.maybe>>>().toEqualTypeOf<DownloadResult>();
  expectTypeOf<Awaited<ReturnType<typeof downloads.any>>>().toEqualTypeOf<DownloadResult>();
});

it('a schema or a response type determines the type of the result', () => {
  run(() => {
    expectTypeOf(hosting.request('GET /user')).toEqualTypeOf<Call<unknown>>();
    const get = hosting.request('GET /repos/{owner}/{repo}', repo, { schema: Repo, timeout: 5 });
    expectTypeOf(get).toEqualTypeOf<Call<Repo>>();
    const text = hosting.request('GET /x', {}, { responseType: 'text' });
    expectTypeOf(text).toEqualTypeOf<Call<string>>();
    const exists = hosting.request('GET /x', {}, { responseType: 'exists' });
    expectTypeOf(exists).toEqualTypeOf<Call<boolean>>();
    expectTypeOf(hosting.request('HEAD /x')).toEqualTypeOf<Call<undefined>>();
    const list = hosting.paginate(
      'GET /repos',
      { per_page: 100 },
      { schema: Repo, concurrency: 4 },
    );
    expectTypeOf(list).toEqualTypeOf<Paginated<Repo>>();
    const url: string = 'https://a.test';
    expectTypeOf(hosting.request(`GET ${url}`, {}, { schema: Repo })).toEqualTypeOf<Call<Repo>>();
  });
});

it('the template determines which variables are required', () => {
  type Keys<R extends string> = RouteInputs<R>;
  expectTypeOf<{ a: string; b: number }>().toExtend<Keys<'GET /{a}/x{+b}'>>();
  expectTypeOf<{ a: string }>().not.toExtend<Keys<'GET /{a}...{b}'>>();
  expectTypeOf<{ a: string }>().not.toExtend<Keys<'GET /{a,b}'>>();
  expectTypeOf<{ a: string }>().toExtend<Keys<'GET /{a:3}{?b,c*}{&d}{/e*}{.f}{;g}'>>();
  expectTypeOf<{ page: number }>().toExtend<Keys<'GET /x{?page}'>>();
  expectTypeOf<{ page: () => void }>().not.toExtend<Keys<'GET /x{?page}'>>();
});

it('a missing, misspelled or mistyped path variable causes a type error', () => {
  run(async () => {
    // @ts-expect-error Property 'repo' is missing.
    await hosting.request('GET /repos/{owner}/{repo}', { owner: 'acme', rep: 'rocket' });
    // @ts-expect-error Expected 2-3 arguments, but got 1.
    await hosting.request('GET /repos/{owner}/{repo}');
    // @ts-expect-error Property 'path' is missing.
    await hosting.request('GET /contents/{+path}', {}, { schema: Repo });
    // @ts-expect-error Property 'owner' is missing.
    await hosting.paginate('GET /users/{owner}/repos', { per_page: 5 });
    // @ts-expect-error A boolean can't be a path segment.
    await hosting.request('GET /users/{name}', { name: true });
  });
});

it('a route without a method, a POST route of a list and an unknown option cause type errors', () => {
  run(async () => {
    // @ts-expect-error The method is missing.
    await hosting.request('/user');
    // @ts-expect-error Only GET lists have pages.
    await hosting.paginate('POST /x');
    // @ts-expect-error Did you mean to write 'schema'?
    await hosting.request('GET /x', {}, { schemas: Repo });
  });
});

it('input types accept valid calls', () => {
  run((flag, name) => [
    hosting.hooks.create({ ...repo, name, config: {} }),
    hosting.hooks.create({ ...repo, name: 'irc', config: { server: 'irc.example.com' } }),
    hosting.hooks.create({ ...repo, name: 'web', config: { url, secret: 's' } }),
    hosting.hooks.create({ ...repo, name: 'web', config: { url }, events: ['ping'] }),
    hosting.gitRefs.get({ ...repo, ref: `heads/${name}` }),
    hosting.gitRefs.create({ ...repo, sha, ref: `refs/heads/${name}` }),
    hosting.gitRefs.get({ ...repo, ref: 'stash' }),
    appliance.maintenance.set({ enabled: flag, when: 'now' }),
    appliance.maintenance.set({ enabled: false }),
    hosting.authorizations.update({ id: 1, add_scopes: flag ? ['repo'] : undefined }),
    hosting.authorizations.create({ note: '', client_id, client_secret }),
    hosting.hub.subscribe({ 'hub.topic': url }),
  ]);
});

it('input types reject inputs that the client rejects at run time', () => {
  const web = { ...repo, name: 'web' } as const;
  const xml = { url, content_type: 'xml' } as const;
  const insecure = { url, insecure_ssl: '2' } as const;
  run(() => [
    // @ts-expect-error a string could be text or Base64
    hosting.contents.create({ ...file, content: 'aGk=' }),
    // @ts-expect-error the name must be fully qualified
    hosting.gitRefs.create({ ...repo, sha, ref: 'heads/x' }),
    // @ts-expect-error the name must contain two slashes
    hosting.gitRefs.create({ ...repo, sha, ref: 'refs/x' }),
    // @ts-expect-error the name must not start with refs/
    hosting.gitRefs.get({ ...repo, ref: 'refs/heads/x' }),
    // @ts-expect-error the namespace is missing
    hosting.gitRefs.get({ ...repo, ref: 'main' }),
    // @ts-expect-error an unknown encoding
    hosting.hooks.create({ ...web, config: xml }),
    // @ts-expect-error neither '0' nor '1'
    hosting.hooks.create({ ...web, config: insecure }),
    // @ts-expect-error settings can't be nested
    hosting.hooks.create({ ...repo, name: 'irc', config: { nested: {} } }),
    // @ts-expect-error settings must be an object
    hosting.hooks.update({ ...asset, config: 'url' }),
    // @ts-expect-error an unknown event
    hosting.hooks.create({ ...web, config: { url }, events: ['pusch'] }),
    // @ts-expect-error an unknown type
    hosting.adminStats.get({ type: 'forks' }),
    // @ts-expect-error an unknown variant
    hosting.commitComments.get({ ...asset, mediaType: 'markdown' }),
    // @ts-expect-error the input is missing
    hosting.commitComments.get(),
    // @ts-expect-error an unknown permission
    hosting.teams.create({ org: 'acme', name: 'n', permission: 'owner' }),
  ]);
});
