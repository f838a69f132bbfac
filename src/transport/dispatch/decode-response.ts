import { classifyCodingError, decodeBody } from '../http/content-coding.js';
import type { HttpResponse, RawResponse } from '../http/raw-response.js';
import type { Deadline } from './deadline.js';

export async function decodeResponse(
  response: RawResponse & { readonly body: Buffer },
  codings: readonly string[],
  maxBytes: number,
  deadline: Deadline,
): Promise<HttpResponse> {
  const failed = { failed: true, sent: true, status: response.status } as const;
  const decoding = decodeBody(
    response.body,
    codings,
    maxBytes,
    () => deadline.interruption !== undefined,
  );
  try {
    const body = await deadline.waitFor(decoding);
    if (body === undefined) return { ...failed, kind: 'interrupted', cause: undefined };
    return { ...response, body };
  } catch (cause) {
    return { ...failed, kind: classifyCodingError(cause), cause };
  }
}
