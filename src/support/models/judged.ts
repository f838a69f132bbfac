import * as z from 'zod/mini';

/** Outcome that a response reports. */
export interface Judged {
  /** Whether the operation succeeded. A failure throws an `OperationFailedError` instead. */
  success?: boolean | null | undefined;
  /** Message sent by the server. */
  statusMessage?: string | null | undefined;
}

/** Schemas of {@link Judged}. */
export const judged = () => ({
  success: z.nullish(z.boolean()),
  statusMessage: z.nullish(z.string()),
});
