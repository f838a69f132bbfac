import { describe, expect, expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import type * as appliance from '../../src/console/index.js';
import * as models from '../../src/hosting/index.js';
import {
  type Contact,
  type SupportCase,
  SupportClient,
  type WithAttributes,
} from '../../src/index.js';
import { type Model, model } from '../../src/schema/model.js';
import * as schemas from '../../src/schemas/index.js';
import type * as support from '../../src/support/index.js';

// The compiler checks these expectations. At run time, most of them do nothing.
describe('hosting models', () => {
  it('a model is a type and a value with the same name', () => {
    expectTypeOf(models.Release).toEqualTypeOf<Model<models.Release>>();
    expectTypeOf(models.PullRequest).toEqualTypeOf<Model<models.PullRequest>>();
    expect(models.Release.name).toBe('Release');
  });

  it('optional fields allow undefined, and nullable fields allow null', () => {
    expectTypeOf<models.PullRequest['merged_at']>().toEqualTypeOf<string | null>();
    expectTypeOf<models.PullRequestBranch['repo']>().toEqualTypeOf<models.Repository | null>();
    expectTypeOf<models.Release['published_at']>().toEqualTypeOf<string | null>();
    expectTypeOf<models.User['site_admin']>().toEqualTypeOf<boolean | null | undefined>();
    expectTypeOf<models.Repository['language']>().toEqualTypeOf<string | null | undefined>();
    expectTypeOf<models.CommitComment['position']>().toEqualTypeOf<number | null>();
    expectTypeOf<models.Repository['id']>().toEqualTypeOf<number>();
  });

  it('the type field discriminates content entries', () => {
    const sizeOrTarget = (entry: models.ContentEntry): number | string => {
      switch (entry.type) {
        case 'file':
          expectTypeOf(entry).toEqualTypeOf<models.ContentFile>();
          return entry.content?.length ?? 0;
        case 'dir':
          expectTypeOf(entry).toEqualTypeOf<models.ContentDirectory>();
          return entry.size;
        case 'symlink':
          expectTypeOf(entry.target).toEqualTypeOf<string>();
          return entry.target;
        case 'submodule':
          expectTypeOf(entry.submodule_git_url).toEqualTypeOf<string | null>();
          return entry.size;
      }
    };
    expectTypeOf(sizeOrTarget).returns.toEqualTypeOf<number | string>();
    expectTypeOf<models.ContentItem>().not.toHaveProperty('content');
    expectTypeOf<models.ContentResult>()
      .exclude<models.ContentEntry>()
      .toEqualTypeOf<models.ContentItem[]>();
  });

  it('each commit comment variant has only its own text fields', () => {
    expectTypeOf<models.CommitComment>().toHaveProperty('body');
    expectTypeOf<models.CommitCommentText>().not.toHaveProperty('body');
    expectTypeOf<models.CommitCommentHtml>().not.toHaveProperty('body');
    expectTypeOf<models.CommitCommentHtml['body_html']>().toEqualTypeOf<string | null>();
    expectTypeOf<models.CommitCommentFull>().toExtend<
      models.CommitComment & models.CommitCommentText & models.CommitCommentHtml
    >();
  });

  it("enumerations accept unknown strings, and a hook's config accepts any setting", () => {
    expectTypeOf<'a state of tomorrow'>().toExtend<models.PullRequest['state']>();
    expectTypeOf<number>().not.toExtend<models.PullRequest['state']>();
    expectTypeOf<models.HookConfig['railsbp_url']>().toEqualTypeOf<unknown>();
    expectTypeOf<models.HookConfig['url']>().toEqualTypeOf<string | null | undefined>();
  });

  it('a schema that differs from its interface causes a compile-time error', () => {
    interface Named {
      name: string;
    }
    // @ts-expect-error the schema has no field `name`
    model<Named>()('Named', () => ({}));
    // @ts-expect-error the schema has an additional field
    model<Pick<Named, never>>()('Named', () => ({ name: models.User }));
  });
});

type Schemas = typeof schemas;
type Models = typeof models & typeof support & typeof appliance;
type Same<A, B> =
  (<X>() => X extends A ? 1 : 2) extends <X>() => X extends B ? 1 : 2 ? true : false;

/** Names of schemas whose inferred type differs from their model. */
type Different = {
  [K in keyof Schemas]: K extends keyof Models
    ? Models[K] extends Model<infer T>
      ? Same<z.infer<Schemas[K]>, T> extends true
        ? never
        : K
      : K
    : K;
}[keyof Schemas];

it('each schema infers the interface of its model', () => {
  expectTypeOf<Different>().toBeNever();
  expectTypeOf<z.infer<typeof schemas.Release>>().toEqualTypeOf<models.Release>();
  expectTypeOf<z.infer<typeof schemas.HookConfig>>().toEqualTypeOf<models.HookConfig>();
});

it('a derived schema infers its own type', () => {
  const Signed = schemas.Release.pick({ tag_name: true, name: true }).extend({
    signed: z.boolean(),
    by: z.array(schemas.User.pick({ login: true })),
  });
  expectTypeOf<z.infer<typeof Signed>>().toEqualTypeOf<{
    tag_name: string;
    name: string | null;
    signed: boolean;
    by: { login: string }[];
  }>();
  expectTypeOf(schemas.User.shape.login.optional()).toExtend<z.ZodType<string | undefined>>();
});

it('a schema compiles only if optional fields and index signatures match the interface', () => {
  interface Late {
    at?: string | undefined;
    of: string | undefined;
  }
  // @ts-expect-error `at` is optional, but the schema requires it
  model<Late>()('Late', () => ({ at: z.union([z.string(), z.undefined()]), of: z.undefined() }));
  interface Any {
    [name: string]: unknown;
  }
  // @ts-expect-error an open interface needs an open schema
  model<Any>()('Any', () => ({}));
});

interface Declared {
  segment: string;
  score?: number | null;
}

const options = { baseUrl: 'http://127.0.0.1:1/', auth: { accessToken: 'token' } };
const plain = new SupportClient(options);
const typed = new SupportClient<Declared>(options);

it('a record of a client without a type parameter has only the known fields', () => {
  expectTypeOf(plain.contacts.get).returns.resolves.toEqualTypeOf<Contact>();
  expectTypeOf(plain.cases.get).returns.resolves.toEqualTypeOf<SupportCase>();
  expectTypeOf<Contact>().not.toHaveProperty('updated_at');
  expectTypeOf<SupportCase>().not.toHaveProperty('updated_at');
  // @ts-expect-error the field is named update_date
  expectTypeOf((each: Contact) => each.updated_at);
});

it('methods of a typed client return records with the declared attributes', () => {
  type Segment = string | null | undefined;
  type Typed = WithAttributes<Contact, Declared>;
  expectTypeOf<Typed['segment']>().toEqualTypeOf<Segment>();
  expectTypeOf<Typed['score']>().toEqualTypeOf<number | null | undefined>();
  expectTypeOf<Typed['update_date']>().toEqualTypeOf<Segment>();
  expectTypeOf<Typed>().not.toHaveProperty('updated_at');
  expectTypeOf(typed.contacts.get).returns.resolves.toEqualTypeOf<Typed>();
  expectTypeOf(typed.contacts.update).returns.resolves.toEqualTypeOf<Typed>();
  expectTypeOf(typed.contacts.updateTags).returns.resolves.toEqualTypeOf<Typed>();
  type Case = WithAttributes<SupportCase, Declared>;
  expectTypeOf(typed.cases.get).returns.resolves.toEqualTypeOf<Case>();
  expectTypeOf(typed.cases.update).returns.resolves.toEqualTypeOf<Case>();
  expectTypeOf(typed.cases.updateTags).returns.resolves.toEqualTypeOf<Case>();
  type First<List extends { first(): unknown }> = NonNullable<Awaited<ReturnType<List['first']>>>;
  expectTypeOf<First<ReturnType<typeof typed.cases.search>>>().toEqualTypeOf<Case>();
  expectTypeOf<First<ReturnType<typeof typed.cases.changedSince>>>().toEqualTypeOf<Case>();
  expectTypeOf<First<ReturnType<typeof typed.contacts.search>>>().toEqualTypeOf<Typed>();
  expectTypeOf<First<ReturnType<typeof typed.contacts.changedSince>>>().toEqualTypeOf<Typed>();
  type Created = Awaited<ReturnType<typeof typed.cases.create>>;
  expectTypeOf<NonNullable<Created['data']>['segment']>().toEqualTypeOf<Segment>();
  expectTypeOf<NonNullable<Case['contact']>['segment']>().toEqualTypeOf<Segment>();
  type New = Awaited<ReturnType<typeof typed.contacts.create>>;
  expectTypeOf<NonNullable<New['data']>['segment']>().toEqualTypeOf<Segment>();
});

it('inputs of a typed client accept only the declared attributes', () => {
  const calls = [
    () => typed.contacts.create({ name: 'Ada', attributes: { segment: 'gold', score: 1 } }),
    () => typed.cases.update({ case_id: 1, attributes: {} }),
    () => plain.cases.update({ case_id: 1, attributes: { any: 'name', at: 1 } }),
    // @ts-expect-error the attribute isn't declared
    () => typed.contacts.create({ name: 'Ada', attributes: { segmnt: 'gold' } }),
    // @ts-expect-error the attribute is a string
    () => typed.cases.create({ attributes: { segment: 1 } }),
    // @ts-expect-error a null attribute can't be sent
    () => typed.cases.create({ attributes: { score: null } }),
    // @ts-expect-error an attribute is a scalar
    () => plain.cases.create({ attributes: { any: {} } }),
  ];
  expectTypeOf(calls).toBeArray();
});
