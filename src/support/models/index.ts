/** Models of the support API. Each is an interface and a value that validates it. */
export * from './case.js';
export * from './contact.js';
export { Me } from './session.js';
