import { empty, HttpError, json, type Reply } from '../reply.js';

/** 401 without a body. The reason phrase contains the reason. */
export function unauthorized(statusText: string): HttpError {
  return new HttpError({ ...empty(401), statusText });
}

/** 400: the body can't be read. The API uses no other status for that. */
export function badBody(_status: number, statusMessage: string): Reply {
  return json(400, { success: false, statusMessage });
}

/** 400: parameters are invalid. */
export function badRequest(statusMessage: string): HttpError {
  return new HttpError(json(400, { success: false, statusMessage }));
}

/** 404: the path or record doesn't exist. */
export function notFound(statusMessage: string): HttpError {
  return new HttpError(json(404, { success: false, statusMessage }));
}

/** 200 with `success: false`: a POST was processed but failed. */
export function failed(statusMessage: string): HttpError {
  return new HttpError(json(200, { success: false, statusMessage }));
}
