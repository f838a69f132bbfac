import { json, Refused, type Reply } from '../reply.js';

/** Where the messages of refusals point to. */
export const documentation = 'https://developer.example.com/v3';

/** A body that can't be read. */
export function badBody(status: 400 | 413 | 415, message: string): Reply {
  return json(status, { message, documentation_url: documentation });
}

/** 404, as the API says it: missing, or hidden from this caller. */
export function notFound(): Refused {
  return new Refused(json(404, { message: 'Not Found', documentation_url: documentation }));
}

/** 401 for what needs somebody. */
export function unauthorized(message = 'Requires authentication'): Refused {
  return new Refused(json(401, { message, documentation_url: documentation }));
}

/** 403 for what somebody may not do. */
export function forbidden(message: string): Refused {
  return new Refused(json(403, { message, documentation_url: documentation }));
}

/** 422 for one field. */
export function invalid(resource: string, field: string, code: string): Refused {
  return new Refused(
    json(422, { message: 'Validation Failed', errors: [{ resource, field, code }] }),
  );
}

/** 422 with only a message. */
export function unprocessable(message: string): Refused {
  return new Refused(json(422, { message, documentation_url: documentation }));
}
