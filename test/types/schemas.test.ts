import { expectTypeOf, it } from 'vitest';
import * as z from 'zod';
import type * as appliance from '../../src/console/index.js';
import type * as hosting from '../../src/hosting/index.js';
import { type Model, model } from '../../src/schema/model.js';

import * as schemas from '../../src/schemas/index.js';
import type * as support from '../../src/support/index.js';

type Schemas = typeof schemas;
type Models = typeof hosting & typeof support & typeof appliance;
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

// The compiler checks the expectations in this file.
it('each schema infers the interface of its model', () => {
  expectTypeOf<Different>().toBeNever();
  expectTypeOf<z.infer<typeof schemas.Release>>().toEqualTypeOf<hosting.Release>();
  expectTypeOf<z.infer<typeof schemas.HookConfig>>().toEqualTypeOf<hosting.HookConfig>();
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
