import { isRecorded } from '../recorded.js';
import type { Masks } from './masks.js';

/** Request header fields that a server may answer differently by. */
const deciding = ['accept', 'content-type', 'if-modified-since', 'if-none-match', 'range'];

/** A request as a recording knows it: masked, with what decides about its answer. */
export interface Asked {
  readonly method: string;
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Of JSON and forms; undefined for any other body, and for a large one. */
  readonly text: string | undefined;
}

/** @param body whole; undefined where it is not known. */
export function askedOf(
  masks: Masks,
  method: string,
  url: string,
  headers: Headers,
  body: string | undefined,
): Asked {
  masks.learnRequest(url, headers);
  const type = headers.get('content-type') ?? '';
  const decided: Record<string, string> = {};
  for (const name of deciding) {
    const value = headers.get(name);
    // The boundary of a form is another one each time.
    if (value !== null) decided[name] = masks.header(name, value.replace(/;\s*boundary=.*/i, ''));
  }
  const isShown = body !== undefined && isRecorded(type);
  if (body !== undefined) masks.learnBody(type, body, true);
  const text = isShown ? masks.text(type, body, true) : undefined;
  return { method, url: masks.target(url), headers: decided, text };
}
