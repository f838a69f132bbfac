/**
 * Whether a request fetches a page ahead, so that its response isn't needed yet. Such a request
 * never uses the last unit of a quota. Its response may become needed while it waits or is retried.
 */
export type IsAhead = () => boolean;

/**
 * Reason for rejecting a request ahead that was not sent. Never reaches users, because the list
 * sends the request again when the page is needed.
 */
export const declinedAhead = new Error('not sent ahead of its turn');
