/**
 * Models of the support API. Each model is both an interface and a runtime validator for the
 * interface.
 */
export * from './case.js';

export { Me } from './session.js';
