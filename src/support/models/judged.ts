import { z } from '../../schema/zod.js';

/** What an answer says of itself. */
export interface Judged {
  /** Whether it was done; a failure is an `OperationFailedError` instead. */
  success?: boolean | undefined;
  /** What the server says about it. */
  statusMessage?: string | undefined;
}

/** The schemas of {@link Judged}. */
export const judged = () => ({
  success: z.optional(z.boolean()),
  statusMessage: z.optional(z.string()),
});
