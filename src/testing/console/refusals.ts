import { json, type Reply } from '../reply.js';

/** Ends a route early with an answer. */
export class Refusal extends Error {
  constructor(readonly reply: Reply) {
    super(`answered ${reply.status}`);
  }
}

/** 400 for inputs that are missing or can't be read. */
export function badRequest(message: string): Refusal {
  return new Refusal(json(400, { message }));
}

/** 401 for a hash that is not the license's. */
export function unauthorized(): Refusal {
  return new Refusal(json(401, { message: 'Authentication required' }));
}

export function notFound(): Refusal {
  return new Refusal(json(404, { message: 'Not Found' }));
}
