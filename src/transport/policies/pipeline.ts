import type { HttpResponse } from '../http/raw-response.js';
import type { RequestSpec } from '../request/request-spec.js';
import type { CallContext } from './context.js';

/** Sends a request. Resolves to its outcome. Rejects only if the call can't continue. */
export type Send = (request: RequestSpec, context: CallContext) => Promise<HttpResponse>;

/** One step of the pipeline, which wraps the inner steps. Called once per client. */
export type Policy = (next: Send) => Send;

/** Wraps policies around `send`. The first policy is the outermost. */
export function compose(policies: readonly (Policy | undefined)[], send: Send): Send {
  return policies.reduceRight<Send>((next, policy) => policy?.(next) ?? next, send);
}
