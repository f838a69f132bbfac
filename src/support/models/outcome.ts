import * as z from 'zod/mini';

/** Outcome that a response reports. */
export interface OutcomeFields {
  /** Whether the operation succeeded. A failure throws an `OperationFailedError` instead. */
  success?: boolean | null | undefined;
  /** Message sent by the server. */
  statusMessage?: string | null | undefined;
}

/** Returns the schemas for the fields of {@link OutcomeFields}. */
export const outcomeFields = () => ({
  success: z.nullish(z.boolean()),
  statusMessage: z.nullish(z.string()),
});
