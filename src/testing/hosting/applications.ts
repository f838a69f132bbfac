import { sha1 } from '../random.js';
import { empty, json } from '../reply.js';
import { renderWithUser } from './authorizations.js';
import type { HostingContext, HostingRoutes } from './context.js';
import type { AuthorizationRecord } from './records/authorization.js';
import { notFound, unauthorized } from './refusals.js';

/**
 * Returns the calling application's ID, and checks that the path contains the same ID.
 * @throws {HttpError} 401 or 404.
 */
function requireClientId(context: HostingContext): string {
  const { application } = context.caller;
  if (!application) throw unauthorized();
  if (application.clientId !== context.param('client_id')) throw notFound();
  return application.clientId;
}

/** Returns the path's token. @throws {HttpError} 404 if it isn't a valid token of the calling application. */
function requireRecord(context: HostingContext): AuthorizationRecord {
  const clientId = requireClientId(context);
  const record = context.state.tokens.get(context.param('access_token'));
  if (record?.clientId !== clientId) throw notFound();
  return record;
}

/** Routes with which an application manages its own tokens. */
export const applicationRoutes: HostingRoutes = {
  'GET /applications/:client_id/tokens/:access_token': (context) =>
    json(200, renderWithUser(context, requireRecord(context))),
  'POST /applications/:client_id/tokens/:access_token': (context) => {
    const record = requireRecord(context);
    const { tokens } = context.state;
    tokens.delete(record.token);
    record.token = sha1('reset', record.token);
    record.updatedAt = context.clock.iso();
    tokens.set(record.token, record);
    return json(200, renderWithUser(context, record));
  },

  'DELETE /applications/:client_id/tokens/:access_token': (context) => {
    context.state.tokens.delete(requireRecord(context).token);
    return empty(204);
  },

  'DELETE /applications/:client_id/tokens': (context) => {
    const clientId = requireClientId(context);
    for (const [token, record] of context.state.tokens) {
      if (record.clientId === clientId) context.state.tokens.delete(token);
    }
    return empty(204);
  },
};
