/**
 * All models as zod 4 schemas that you can extend, nest and infer types from. Each schema has the
 * same name as the model in `triforge/hosting`, `triforge/support` or `triforge/console`.
 *
 * ```ts
 * import * as z from 'zod';
 * import { Release, User } from 'triforge/schemas';
 *
 * const Signed = Release.extend({ author: User.pick({ login: true }), signed: z.boolean() });
 * type Signed = z.infer<typeof Signed>;
 * ```
 * @packageDocumentation
 */
export * from './console.js';
export * from './hosting.js';
export * from './support.js';
export type { ObjectSchema, ShapeOf } from './zod-schema.js';
