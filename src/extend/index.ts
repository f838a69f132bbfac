/**
 * Declares custom endpoints as data, with rules for their inputs and a schema for their responses.
 * Add the endpoints to a client with `extend`.
 *
 * ```ts
 * import { HostingClient } from 'triforge';
 * import { endpoint, filledText, integer, paging } from 'triforge/extend';
 * import * as z from 'zod';
 *
 * const hosting = new HostingClient({ baseUrl: 'https://code.example.com/api/v3/' }).extend({
 *   issues: {
 *     list: endpoint({
 *       path: '/repos/{owner}/{repo}/issues',
 *       input: { owner: filledText, repo: filledText, ...paging },
 *       schema: z.object({ number: z.int(), title: z.string() }),
 *       paginate: 'link',
 *     }),
 *   },
 * });
 * for await (const issue of hosting.issues.list({ owner: 'acme', repo: 'rocket' })) {
 *   console.log(issue.title);
 * }
 * ```
 * @packageDocumentation
 */
export {
  type Declaration,
  type Extension,
  endpoint,
  type InputOf,
  type InputRules,
  type MethodOf,
  type OwnEndpoint,
  type OwnEndpoints,
  type Paging,
  type PathRules,
  type PathVariable,
} from '../transport/declaration.js';
export type { MediaContext } from '../transport/http/media-type.js';
export type { RetryRule } from '../transport/request/endpoint.js';
export type { AuthScheme, ResponseType } from '../transport/request/endpoint-properties.js';
export {
  filledText,
  flag,
  integer,
  type JsonSchema,
  oneOf,
  optional,
  paging,
  type Rule,
  record,
  rule,
  text,
  texts,
} from '../transport/request/input.js';
