import * as z from 'zod/mini';

/** The outcome that a response reports. */
export interface Judged {
  /** Whether the operation succeeded. A failure is an `OperationFailedError` instead. */
  success?: boolean | null | undefined;
  /** The server's message. */
  statusMessage?: string | null | undefined;
}

/** The schemas of {@link Judged}. */
export const judged = () => ({
  success: z.nullish(z.boolean()),
  statusMessage: z.nullish(z.string()),
});
