/**
 * triforge: a typed client for one service with three HTTP interfaces.
 * @packageDocumentation
 */
export * from './hosting/index.js';
export * from './support/index.js';
