/** Response of a route, before it is converted to a `Response`. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Body. Undefined if the response has no body. */
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
  /** Custom reason phrase. The support API sends one with a 401. */
  readonly statusText?: string | undefined;
}

/** Creates a JSON response. */
export function json(status: number, value: unknown, headers: Record<string, string> = {}): Reply {
  return createReply(status, 'application/json; charset=utf-8', JSON.stringify(value), headers);
}

/** Creates a response without a body. */
export function empty(status: number, headers: Record<string, string> = {}): Reply {
  return { status, headers, body: undefined };
}

/** Creates a response with text or bytes. */
export function createReply(
  status: number,
  contentType: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Reply {
  return { status, headers: { 'content-type': contentType, ...headers }, body };
}

export function createRedirect(status: 301 | 302 | 303 | 307 | 308, location: string): Reply {
  return json(status, { message: 'Moved', url: location }, { location });
}

/**
 * Creates a `Response` with a `Content-Length`. Responses to HEAD and responses with status 204,
 * 205 or 304 have no body.
 */
export function toResponse(reply: Reply, method: string): Response {
  const { status, statusText = '' } = reply;
  const bodyless = method === 'HEAD' || status === 204 || status === 205 || status === 304;
  const body = bodyless ? null : (reply.body ?? null);
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  // The body that `Response` creates from bytes closes in a `queueMicrotask` callback, so it would
  // never end under fake timers that replace `queueMicrotask`.
  const streamed = bytes === null || bytes.length === 0 ? null : ReadableStream.from([bytes]);
  const response = new Response(streamed, { status, statusText, headers: reply.headers });
  // `Response` sets this type only for a body that is a string.
  if (typeof body === 'string' && !response.headers.has('content-type')) {
    response.headers.set('content-type', 'text/plain;charset=UTF-8');
  }
  if (status !== 204 && status !== 304) {
    // A HEAD response has the length of the GET response, and an empty response has length 0.
    const length = status === 205 ? 0 : Buffer.byteLength(reply.body ?? '');
    response.headers.set('content-length', String(length));
  }
  return response;
}

/** Creates an error response in an API's format. */
export type ErrorFormat = (status: number, message: string) => Reply;

/** Creates an error response whose body is a JSON object with a `message`. */
export const formatError: ErrorFormat = (status, message) => json(status, { message });

/** Error that ends a route early with a response. */
export class HttpError extends Error {
  readonly #response: Reply | ((format: ErrorFormat) => Reply);

  /** @param response Response, or a function that creates it in the API's error format. */
  constructor(response: Reply | ((format: ErrorFormat) => Reply)) {
    super('the route ended early');
    this.#response = response;
  }

  /** Returns the response. */
  toReply(format: ErrorFormat): Reply {
    return typeof this.#response === 'function' ? this.#response(format) : this.#response;
  }
}

/** Creates an error that ends a route early with a response in the API's error format. */
export function httpError(status: number, message: string): HttpError {
  return new HttpError((format) => format(status, message));
}

/** Returns a route's response. If the route throws an `HttpError`, returns it as a response. */
export async function catchHttpErrors<T>(
  respond: () => Promise<T>,
  format: ErrorFormat,
): Promise<T | Reply> {
  try {
    return await respond();
  } catch (error) {
    if (error instanceof HttpError) return error.toReply(format);
    throw error;
  }
}
