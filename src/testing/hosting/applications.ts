import { sha1 } from '../random.js';
import { empty, json } from '../reply.js';
import type { Router } from '../router.js';
import { renderWithUser } from './authorizations.js';
import type { HostingContext, HostingRoute } from './context.js';
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

const check: HostingRoute = (context) => json(200, renderWithUser(context, requireRecord(context)));

const reset: HostingRoute = (context) => {
  const record = requireRecord(context);
  const { tokens } = context.state;
  tokens.delete(record.token);
  record.token = sha1('reset', record.token);
  record.updatedAt = context.clock.iso();
  tokens.set(record.token, record);
  return json(200, renderWithUser(context, record));
};

const revoke: HostingRoute = (context) => {
  context.state.tokens.delete(requireRecord(context).token);
  return empty(204);
};

const revokeAll: HostingRoute = (context) => {
  const clientId = requireClientId(context);
  for (const [token, record] of context.state.tokens) {
    if (record.clientId === clientId) context.state.tokens.delete(token);
  }
  return empty(204);
};

/** Adds the routes with which an application manages its own tokens. */
export function addApplications(router: Router<HostingRoute>): void {
  router.add('GET /applications/:client_id/tokens/:access_token', check);
  router.add('POST /applications/:client_id/tokens/:access_token', reset);
  router.add('DELETE /applications/:client_id/tokens/:access_token', revoke);
  router.add('DELETE /applications/:client_id/tokens', revokeAll);
}
