/**
 * An OpenAPI document for a client, including the endpoints that you added with `extend`.
 *
 * ```ts
 * import { writeFileSync } from 'node:fs';
 * import { describe } from 'triforge/openapi';
 *
 * writeFileSync('openapi.json', JSON.stringify(describe(hosting)));
 * ```
 * @packageDocumentation
 */
export { describe } from './describe.js';
