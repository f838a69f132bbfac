import { expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import type { HostingClient, HostingRequestOptions, PullRequest } from '../../src/hosting/index.js';
import type { Contact, SupportClient } from '../../src/support/index.js';

declare const hosting: HostingClient;
declare const support: SupportClient;
const pull = { owner: 'acme', repo: 'rocket', number: 1 };
const Titled = z.object({ title: z.string() });
type Titled = z.infer<typeof Titled>;

// These functions are never called. Only the compiler checks their calls.
const calls = {
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
  nothing: () => hosting.hooks.delete({ owner: 'acme', repo: 'rocket', id: 1 }).as(Titled),
};

it('as() changes the result type from the model to the schema', () => {
  expectTypeOf<Awaited<ReturnType<typeof calls.own>>>().toEqualTypeOf<Titled>();
  expectTypeOf<Awaited<ReturnType<typeof calls.model>>>().toEqualTypeOf<PullRequest>();
  expectTypeOf<Awaited<ReturnType<typeof calls.options>>>().toEqualTypeOf<PullRequest>();
  expectTypeOf(calls.list)
    .returns.toHaveProperty('first')
    .returns.resolves.toEqualTypeOf<Titled | undefined>();
  expectTypeOf(calls.search)
    .returns.toHaveProperty('toArray')
    .returns.resolves.toEqualTypeOf<Titled[]>();
  expectTypeOf(calls.contacts)
    .returns.toHaveProperty('toArray')
    .returns.resolves.toEqualTypeOf<Contact[]>();
  expectTypeOf<Awaited<ReturnType<typeof calls.nullable>>>().toEqualTypeOf<Titled | null>();
});
