import { json, Refused, type Reply } from '../reply.js';

/** A body that can't be read. */
export function badBody(status: number, message: string): Reply {
  return json(status, { message });
}

/** 400 for inputs that are missing or can't be read. */
export function badRequest(message: string): Refused {
  return new Refused(json(400, { message }));
}

/** 401 for a hash that is not the license's. */
export function unauthorized(): Refused {
  return new Refused(json(401, { message: 'Authentication required' }));
}
