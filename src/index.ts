/**
 * triforge: a typed client for one service with three HTTP interfaces.
 * @packageDocumentation
 */
export * from './console/index.js';
export * from './hosting/index.js';
export * from './support/index.js';
export * from './webhooks/index.js';
