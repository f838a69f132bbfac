import { isRecorded } from '../recorded-body.js';
import type { Masks } from './masks.js';

/** Request headers that a response may depend on. */
const deciding = ['accept', 'content-type', 'if-modified-since', 'if-none-match', 'range'];

/** Masked request with everything that its response depends on. */
export interface RequestedExchange {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Body if it is JSON or a form. Undefined for other types and for large bodies. */
  readonly text: string | undefined;
}

/** Masks a request. @param body complete body. Undefined if unknown. */
export function describeRecorded(
  masks: Masks,
  method: string,
  url: string,
  headers: Headers,
  body: string | undefined,
): RequestedExchange {
  masks.learnTarget(url);
  masks.learnHeaders(headers);
  const type = headers.get('content-type') ?? '';
  const decided: Record<string, string> = {};
  for (const name of deciding) {
    const value = headers.get(name);
    // Removes the boundary, because it is different for each multipart form.
    if (value !== null) decided[name] = masks.header(name, value.replace(/;\s*boundary=.*/i, ''));
  }
  const maskBody = body === undefined ? undefined : masks.learnBody(type, body, true);
  const text = isRecorded(type) ? maskBody?.() : undefined;
  return { method, url: masks.target(url), headers: decided, text };
}
