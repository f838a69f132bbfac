import { nameOperation } from '../request/name-operation.js';
import type { PageFetcher } from './page.js';

/** Adds the operation to the input errors of a list's pages (see {@link nameOperation}). */
export function namePageErrors<T>(pages: PageFetcher<T>, operation: string): PageFetcher<T> {
  return {
    async fetch(cursor, hooks) {
      try {
        return await pages.fetch(cursor, hooks);
      } catch (error) {
        throw nameOperation(error, operation);
      }
    },
  };
}
