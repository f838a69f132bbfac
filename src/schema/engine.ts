/**
 * What makes and checks schemas: the functions of zod that models are made of, and ours. A client loads
 * it while its first request is on its way, through `zod.ts`.
 */
export {
  array,
  boolean,
  discriminatedUnion,
  int,
  literal,
  looseObject,
  minLength,
  null,
  nullable,
  nullish,
  number,
  object,
  optional,
  record,
  regex,
  string,
  tuple,
  union,
  unknown,
} from 'zod';
export { checkOf } from './compiled-check.js';
export { issuesIn } from './issues.js';
