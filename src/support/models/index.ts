/** What the support API answers: each model is an interface, and a value that checks it. */
export * from './case.js';
export * from './contact.js';
export { Me } from './session.js';
