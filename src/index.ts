/**
 * triforge is a typed client for a service's hosting API, support API and Management Console API.
 * This entry point exports the clients, the OAuth flow, errors, and all models, inputs and options as
 * types. Each API's entry point, such as `triforge/hosting`, also exports helpers and its models
 * as values.
 * @packageDocumentation
 */

export * from './public.js';

// These exports come last, because a name that the compiler first finds in an `export type *` has no
// value. The blank line prevents Biome from sorting them.

export type * from './console/index.js';
export { ConsoleClient } from './console/index.js';
export type * from './hosting/index.js';
export { HostingClient, OAuthWebFlow } from './hosting/index.js';
export type * from './support/index.js';
export { SupportClient } from './support/index.js';
