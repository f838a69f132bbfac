import { setTimeout as wait } from 'node:timers/promises';
import type { Fault } from './faults.js';
import { toResponse } from './reply.js';

/** What a `Response` can't say, for the adapters that can do it. */
export type WireFault = Extract<
  Fault,
  { kind: 'reset' | 'truncate' | 'slow' | 'malformed' | 'refuse' }
>;

const faults = new WeakMap<Response, WireFault>();

/**
 * What a request gets that a fault meets.
 * @param answer carries the request out, and gives the real answer.
 */
export async function brokenBy(
  fault: Fault | undefined,
  request: Request,
  answer: () => Promise<Response>,
): Promise<Response> {
  switch (fault?.kind) {
    case 'answer': {
      const { status, headers = {}, body } = fault;
      // Undefined has no JSON: it stays undefined, and the body empty.
      const text = typeof body === 'string' ? body : JSON.stringify(body);
      const type: Record<string, string> =
        typeof body === 'string' ? {} : { 'content-type': 'application/json; charset=utf-8' };
      return toResponse({ status, headers: { ...type, ...headers }, body: text }, request.method);
    }
    case 'reset':
      if (fault.executed) await answer();
      return nothingBut(fault);
    case 'malformed':
    case 'refuse':
      return nothingBut(fault);
    case 'truncate':
    case 'slow':
      return breakOnWire(await answer(), fault);
    case 'delay':
      await wait(fault.ms, undefined, { signal: request.signal });
      return await answer();
    case 'hang':
      return await new Promise(() => {});
    default:
      return await answer();
  }
}

/** Marks an answer to be broken on the wire. */
function breakOnWire(response: Response, fault: WireFault): Response {
  faults.set(response, fault);
  return response;
}

/** An answer that is nothing but its fault. */
export function nothingBut(fault: WireFault): Response {
  return breakOnWire(new Response(null), fault);
}

/** How an answer is to be broken, if it is. */
export function wireFaultOf(response: Response): WireFault | undefined {
  return faults.get(response);
}

/** What is sent instead of an answer by the fault `malformed`. */
export function malformedHead(fault: Extract<WireFault, { kind: 'malformed' }>): string {
  return fault.raw ?? 'HTTP/1.1 200 OK\r\nthis field has no colon\r\ncontent-length: 0\r\n\r\n';
}

/** The body of an answer was cut short on purpose. */
export class CutShort extends Error {
  constructor() {
    super('the emulator cut the body short');
  }
}

/**
 * The body of an answer in the pieces that go out.
 * @throws {CutShort} after the last piece, where the answer was to be truncated.
 */
export async function* piecesOf(
  response: Response,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array, void, undefined> {
  const fault = wireFaultOf(response);
  if (fault?.kind === 'truncate') {
    const whole = new Uint8Array(await response.arrayBuffer());
    yield whole.subarray(0, fault.bytes ?? Math.floor(whole.length / 2));
    throw new CutShort();
  }
  if (fault?.kind === 'slow') {
    const whole = new Uint8Array(await response.arrayBuffer());
    const step = Math.max(1, fault.bytes ?? 1024);
    for (let start = 0; start < whole.length; start += step) {
      await wait(fault.ms, undefined, { signal });
      yield whole.subarray(start, start + step);
    }
    return;
  }
  if (response.body) yield* response.body;
}
