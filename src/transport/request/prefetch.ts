/**
 * Returns whether a request is a prefetch, whose response isn't needed yet. A prefetch is declined
 * if a limit would delay it, or if it would leave too few quota units for other calls. The list may
 * need the response before the request has ended, so the result can change.
 */
export type IsPrefetch = () => boolean;

/**
 * Error with which a declined prefetch rejects. Never reaches users, because the list sends the
 * request again when the page is needed.
 */
export const prefetchDeclined = new Error('the prefetch request was not sent');
