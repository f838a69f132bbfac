import { expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import type { Call, HostingClient, Paginated } from '../../src/index.js';
import type { RouteInputs } from '../../src/transport/request/route.js';

// The compiler checks the expectations in this file. Nothing is sent.
declare const client: HostingClient;
const Repo = z.object({ full_name: z.string() });
type Repo = z.infer<typeof Repo>;
const run = (_test: () => unknown) => undefined;

it('a schema or a response type determines the type of the result', () => {
  run(() => {
    expectTypeOf(client.request('GET /user')).toEqualTypeOf<Call<unknown>>();
    const inputs = { owner: 'acme', repo: 'rocket' };
    const get = client.request('GET /repos/{owner}/{repo}', inputs, { schema: Repo, timeout: 5 });
    expectTypeOf(get).toEqualTypeOf<Call<Repo>>();
    const text = client.request('GET /x', {}, { responseType: 'text' });
    expectTypeOf(text).toEqualTypeOf<Call<string>>();
    const exists = client.request('GET /x', {}, { responseType: 'exists' });
    expectTypeOf(exists).toEqualTypeOf<Call<boolean>>();
    expectTypeOf(client.request('HEAD /x')).toEqualTypeOf<Call<undefined>>();
    const list = client.paginate('GET /repos', { per_page: 100 }, { schema: Repo, concurrency: 4 });
    expectTypeOf(list).toEqualTypeOf<Paginated<Repo>>();
    expectTypeOf(client.follow('https://a.test', {}, { schema: Repo })).toEqualTypeOf<Call<Repo>>();
  });
});

it('variables are required or optional, as the template specifies', () => {
  type Keys<R extends string> = RouteInputs<R>;
  expectTypeOf<{ a: string; b: number }>().toExtend<Keys<'GET /{a}/x{+b}'>>();
  expectTypeOf<{ a: string }>().not.toExtend<Keys<'GET /{a}...{b}'>>();
  expectTypeOf<{ a: string }>().not.toExtend<Keys<'GET /{a,b}'>>();
  expectTypeOf<{ a: string }>().toExtend<Keys<'GET /{a:3}{?b,c*}{&d}{/e*}{.f}{;g}'>>();
  expectTypeOf<{ page: number }>().toExtend<Keys<'GET /x{?page}'>>();
  expectTypeOf<{ page: () => void }>().not.toExtend<Keys<'GET /x{?page}'>>();
});

it('a missing or misspelled variable is an error that names the variable', () => {
  run(async () => {
    // @ts-expect-error Property 'repo' is missing.
    await client.request('GET /repos/{owner}/{repo}', { owner: 'acme', rep: 'rocket' });
    // @ts-expect-error Expected 2-3 arguments, but got 1.
    await client.request('GET /repos/{owner}/{repo}');
    // @ts-expect-error Property 'path' is missing.
    await client.request('GET /contents/{+path}', {}, { schema: Repo });
    // @ts-expect-error Property 'owner' is missing.
    await client.paginate('GET /users/{owner}/repos', { per_page: 5 });
    // @ts-expect-error A boolean is no path segment.
    await client.request('GET /users/{name}', { name: true });
  });
});

it('a route without a method, and an unknown option, are errors', () => {
  run(async () => {
    // @ts-expect-error The method is missing.
    await client.request('/user');
    // @ts-expect-error Only GET lists have pages.
    await client.paginate('POST /x');
    // @ts-expect-error Did you mean to write 'schema'?
    await client.request('GET /x', {}, { schemas: Repo });
    // @ts-expect-error All inputs are sent, so there are no extra ones.
    await client.request('GET /x', {}, { extra: {} });
  });
});
