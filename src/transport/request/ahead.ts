/**
 * Whether the response of a request isn't needed yet: a page that a list fetches ahead. Such a request
 * never uses the last of a budget. Its response may become needed while it waits or is retried.
 */
export type IsAhead = () => boolean;

/** Rejects a request ahead that was not sent. Never reaches users: the list sends it in its turn. */
export const declinedAhead = new Error('not sent ahead of its turn');
