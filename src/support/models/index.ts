/**
 * Models of the support API. Each model is an interface, and a value that validates data against
 * it.
 */
export * from './case.js';
export * from './contact.js';
export { Me } from './session.js';
