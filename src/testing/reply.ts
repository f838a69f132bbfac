/** What a route answers with; an adapter makes a `Response` of it. */
export interface Reply {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  /** Undefined for an empty body. */
  readonly body: string | Uint8Array<ArrayBuffer> | undefined;
}

/** A JSON answer. */
export function json(status: number, value: unknown, headers: Record<string, string> = {}): Reply {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=utf-8', ...headers },
    body: JSON.stringify(value),
  };
}

/** An answer without a body. */
export function empty(status: number, headers: Record<string, string> = {}): Reply {
  return { status, headers, body: undefined };
}

/** Text or bytes of any type. */
export function bytes(
  status: number,
  contentType: string,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Record<string, string> = {},
): Reply {
  return { status, headers: { 'content-type': contentType, ...headers }, body };
}

/** A redirect. */
export function redirect(status: 301 | 302 | 303 | 307 | 308, location: string): Reply {
  return json(status, { message: 'Moved', url: location }, { location });
}

/** Makes a `Response`: HEAD, 204 and 304 have no body, an empty 202 says that it has none. */
export function toResponse(reply: Reply, method: string): Response {
  const bodyless = method === 'HEAD' || reply.status === 204 || reply.status === 304;
  const headers = new Headers(reply.headers);
  if (reply.body === undefined && !bodyless) headers.set('content-length', '0');
  return new Response(bodyless ? null : (reply.body ?? null), { status: reply.status, headers });
}
