import { codingFailure, decodeBody } from '../http/content-coding.js';
import type { HttpResponse, RawResponse } from '../http/raw-response.js';
import type { Deadline } from './deadline.js';

/** Decodes the content codings of a complete response's body. */
export async function decodeResponse(
  answer: RawResponse & { readonly body: Buffer },
  codings: readonly string[],
  maxBytes: number,
  deadline: Deadline,
): Promise<HttpResponse> {
  const failed = { failed: true, sent: true, status: answer.status } as const;
  // The decoder reads the memory until decoding ends, which can be after the call has ended.
  const decoding = decodeBody(
    answer.body,
    codings,
    maxBytes,
    () => deadline.interruption !== undefined,
  );
  const done = decoding.finally(answer.release);
  try {
    const body = await deadline.until(done);
    if (body === undefined) return { ...failed, kind: 'interrupted', cause: undefined };
    return { ...answer, body, release: undefined };
  } catch (cause) {
    return { ...failed, kind: codingFailure(cause), cause };
  }
}
