/**
 * triforge: a typed client for one service with three HTTP interfaces. Models, inputs and helpers
 * of one interface are exported by its own entry point, as `triforge/hosting`.
 * @packageDocumentation
 */
export { ConsoleClient, type ConsoleClientOptions } from './console/index.js';
export { HostingClient, type HostingClientOptions } from './hosting/index.js';
export * from './public.js';
export { SupportClient, type SupportClientOptions } from './support/index.js';
