import type { Fault } from './faults.js';
import { toResponse } from './reply.js';

/** Faults that a `Response` can't express. Whatever sends the response applies them. */
export type WireFault = Extract<
  Fault,
  { kind: 'reset' | 'truncate' | 'slow' | 'malformed' | 'refuse' }
>;

const faults = new WeakMap<Response, WireFault>();

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
  faults.set(response, fault);
  return response;
}

export function emptyWithFault(fault: WireFault): Response {
  return markWithFault(new Response(null), fault);
}

export function findWireFault(response: Response): WireFault | undefined {
  return faults.get(response);
}

/** Returns the text that the `malformed` fault sends instead of a response. */
export function malformedHead(fault: Extract<WireFault, { kind: 'malformed' }>): string {
  return fault.raw ?? 'HTTP/1.1 200 OK\r\nthis field has no colon\r\ncontent-length: 0\r\n\r\n';
}

/** Error for a body that a fault truncated. */
export class TruncatedBodyError extends Error {
  constructor() {
    super('the emulator truncated the body');
  }
}

/**
 * Yields the chunks in which to send a response's body.
 * @throws {TruncatedBodyError} after the last chunk if a fault truncates the body.
 */
export async function* readPieces(
  response: Response,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const fault = findWireFault(response);
  if (fault?.kind === 'truncate') {
    const whole = new Uint8Array(await response.arrayBuffer());
    yield whole.subarray(0, fault.bytes ?? Math.floor(whole.length / 2));
    throw new TruncatedBodyError();
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

/** Waits on the global timer, so that tests with fake timers can advance the wait. */
function wait(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = () => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener('abort', stop);
      resolve();
    }, ms);
    signal.addEventListener('abort', stop, { once: true });
  });
}
