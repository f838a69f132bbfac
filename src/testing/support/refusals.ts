import { empty, json, Refused, type Reply } from '../reply.js';

/** 401: why stands in the reason phrase, and there is no body. */
export function unauthorized(statusText: string): Refused {
  return new Refused({ ...empty(401), statusText });
}

/** A body that can't be read: 400, whatever it is. */
export function badBody(_status: number, statusMessage: string): Reply {
  return json(400, { success: false, statusMessage });
}

/** 400 for parameters that can't be read. */
export function badRequest(statusMessage: string): Refused {
  return new Refused(json(400, { success: false, statusMessage }));
}

/** 404 for paths and records that there are not. */
export function notFound(statusMessage: string): Refused {
  return new Refused(json(404, { success: false, statusMessage }));
}

/** A POST that was processed, and failed: 200 with `success: false`. */
export function failed(statusMessage: string): Refused {
  return new Refused(json(200, { success: false, statusMessage }));
}
