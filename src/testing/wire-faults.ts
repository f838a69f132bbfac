import type { Fault } from './faults.js';
import { toResponse } from './reply.js';

/** Faults that a `Response` can't express. The code that sends the response applies them. */
export type WireFault = Extract<
  Fault,
  { kind: 'reset' | 'truncate' | 'slow' | 'malformed' | 'refuse' }
>;

/** Faults to apply while a response is sent. */
export const wireFaults = new WeakMap<Response, WireFault>();

/**
 * Applies a fault to a request and returns the response.
 * @param respond carries out the request and returns the real response.
 */
export async function applyFault(
  fault: Fault | undefined,
  request: Request,
  respond: () => Promise<Response>,
): Promise<Response> {
  switch (fault?.kind) {
    case 'response': {
      const { status, body } = fault;
      const headers = new Headers(fault.headers);
      if (typeof body !== 'string' && !headers.has('content-type')) {
        headers.set('content-type', 'application/json; charset=utf-8');
      }
      // `JSON.stringify(undefined)` is undefined, so the body stays empty.
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const reply = { status, headers: Object.fromEntries(headers), body: text };
      return toResponse(reply, request.method);
    }
    case 'reset':
      if (fault.executed) await respond();
      return emptyWithFault(fault);
    case 'malformed':
    case 'refuse':
      return emptyWithFault(fault);
    case 'truncate':
    case 'slow':
      return markWithFault(await respond(), fault);
    case 'delay':
      await wait(fault.ms, request.signal);
      return await respond();
    case 'hang':
      return await new Promise(() => {});
    default:
      return await respond();
  }
}

/** Marks a response with a fault to apply when the response is sent. */
function markWithFault(response: Response, fault: WireFault): Response {
  wireFaults.set(response, fault);
  return response;
}

export function emptyWithFault(fault: WireFault): Response {
  return markWithFault(new Response(null), fault);
}

/** Error for a body that the `truncate` fault cuts off. */
export const truncatedBody = new Error('the emulator truncated the body');

/**
 * Yields the chunks in which to send a response's body.
 * @throws {Error} {@link truncatedBody} after the last chunk, if a fault truncates the body.
 */
export async function* readPieces(
  response: Response,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const fault = wireFaults.get(response);
  if (fault?.kind === 'truncate') {
    const whole = new Uint8Array(await response.arrayBuffer());
    yield whole.subarray(0, fault.bytes ?? Math.floor(whole.length / 2));
    throw truncatedBody;
  }
  if (fault?.kind === 'slow') {
    const whole = new Uint8Array(await response.arrayBuffer());
    const step = Math.max(1, fault.bytes ?? 1024);
    for (let start = 0; start < whole.length; start += step) {
      await wait(fault.ms, signal);
      yield whole.subarray(start, start + step);
    }
    return;
  }
  if (response.body) yield* response.body;
}

/** Waits for `ms` milliseconds. Rejects with the signal's reason if the signal is aborted first. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    setTimeout(resolve, ms).unref();
    signal.addEventListener('abort', () => reject(signal.reason), { once: true });
  });
}
