import { empty, json, type Reply } from '../reply.js';

/** Ends a route early with an answer. */
export class Refusal extends Error {
  constructor(readonly reply: Reply) {
    super(`answered ${reply.status}`);
  }
}

/** 401: why stands in the reason phrase, and there is no body (contract: Errors, Support API v2). */
export function unauthorized(statusText: string): Refusal {
  return new Refusal({ ...empty(401), statusText });
}

/** 400 for parameters that can't be read. */
export function badRequest(statusMessage: string): Refusal {
  return new Refusal(json(400, { success: false, statusMessage }));
}

/** 404 for paths and records that there are not. */
export function notFound(statusMessage: string): Refusal {
  return new Refusal(json(404, { success: false, statusMessage }));
}

/** A POST that was processed, and failed: 200 with `success: false`. */
export function failed(statusMessage: string): Refusal {
  return new Refusal(json(200, { success: false, statusMessage }));
}
