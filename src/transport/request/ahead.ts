/**
 * Whether a request fetches a page ahead, so that its response isn't needed yet. Such a request
 * never uses the last of a quota. Its response may become needed while it waits or is retried.
 */
export type IsAhead = () => boolean;

/**
 * Rejects a request ahead that was not sent. Never reaches users: the list sends it when it is
 * needed.
 */
export const declinedAhead = new Error('not sent ahead of its turn');
