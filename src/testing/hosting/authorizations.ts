import { sha1 } from '../random.js';
import { empty, json } from '../reply.js';
import { requireCaller } from './access.js';
import type { HostingContext, HostingRoutes } from './context.js';
import { type Collection, crud } from './crud.js';
import { type Body, readFields, requiredField, stringField, stringsField } from './fields.js';
import {
  type Account,
  type Application,
  type AuthorizationRecord,
  isScope,
  normalized,
} from './records/accounts.js';
import { forbidden, invalid, notFound, unauthorized, unprocessable } from './refusals.js';
import { renderUser } from './render.js';

const resource = 'OauthAccess';

function renderAuthorization(context: HostingContext, record: AuthorizationRecord) {
  const application = context.state.applications.get(record.clientId ?? '');
  return {
    id: record.id,
    url: `${context.api}/authorizations/${record.id}`,
    app: {
      name: application?.name ?? `${record.note ?? 'Personal token'} (API)`,
      url: application?.url ?? `${context.origin}/settings/applications`,
      client_id: application?.clientId ?? '0'.repeat(20),
    },
    token: record.token,
    note: record.note,
    note_url: record.noteUrl,
    created_at: record.createdAt,
    updated_at: record.updatedAt,
    scopes: record.scopes,
  };
}

/** Renders an authorization with its user, for the responses to checks and resets. */
function renderWithUser(context: HostingContext, record: AuthorizationRecord): object {
  return { ...renderAuthorization(context, record), user: renderUser(context, record.login) };
}

/** Returns the calling account. The authorizations endpoints require Basic authentication. */
function requireBasicCaller(context: HostingContext): Account {
  const account = requireCaller(context);
  if (context.caller.scheme !== 'basic') {
    throw forbidden('This API can only be accessed with username and password Basic Auth');
  }
  return account;
}

function listOwn(context: HostingContext, { login }: Account): AuthorizationRecord[] {
  return [...context.state.tokens.values()].filter((record) => record.login === login);
}

function readScopes(body: Body, field: string): string[] | undefined {
  const scopes = stringsField(resource, body, field);
  const unknown = scopes?.filter((scope) => !isScope(scope)) ?? [];
  if (unknown.length > 0) {
    throw unprocessable(`The scopes requested are invalid: ${unknown.join(', ')}.`);
  }
  return scopes;
}

/** Returns an application by ID and secret. @throws {HttpError} 422 if either is wrong. */
function requireApplication(context: HostingContext, id: string, secret: string): Application {
  const application = context.state.applications.get(id);
  if (!application) throw invalid(resource, 'client_id', 'invalid');
  if (application.clientSecret !== secret) {
    throw invalid(resource, 'client_secret', 'invalid');
  }
  return application;
}

const noteFields = { note: stringField, noteUrl: stringField };

const authorizations: Collection<Account, AuthorizationRecord> = {
  open: requireBasicCaller,
  list: listOwn,
  linked: 'always',
  render: (context, _, record) => renderAuthorization(context, record),
  create(context, { login }, body) {
    const note = requiredField(resource, body, 'note');
    // Some clients always send both fields and leave unused fields empty.
    const clientId = stringField(resource, body, 'client_id') || undefined;
    const secret = stringField(resource, body, 'client_secret') || undefined;
    if (clientId !== undefined || secret !== undefined) {
      if (clientId === undefined) throw missing('client_id');
      if (secret === undefined) throw missing('client_secret');
      requireApplication(context, clientId, secret);
    }
    const noteUrl = stringField(resource, body, 'note_url');
    const scopes = readScopes(body, 'scopes');
    return context.world.addToken(login, scopes, { clientId, note, noteUrl });
  },
  update(context, _, record, body) {
    const replace = readScopes(body, 'scopes');
    const add = readScopes(body, 'add_scopes');
    const remove = readScopes(body, 'remove_scopes');
    if ([replace, add, remove].filter((each) => each !== undefined).length > 1) {
      throw unprocessable('Only one of scopes, add_scopes and remove_scopes can be set.');
    }
    const kept = (replace ?? record.scopes).filter((scope) => !remove?.includes(scope));
    const scopes = normalized([...kept, ...(add ?? [])]);
    const notes = readFields(resource, body, noteFields);
    Object.assign(record, notes, { scopes, updatedAt: context.clock.iso() });
  },
  remove: (context, _, { token }) => context.state.tokens.delete(token),
};

function missing(field: string) {
  return invalid(resource, field, 'missing_field');
}

/** Routes for users to manage their tokens. */
export const authorizationRoutes: HostingRoutes = {
  ...crud('/authorizations', authorizations),
  'PUT /authorizations/clients/:client_id': async (context) => {
    const account = requireBasicCaller(context);
    const body = await context.body();
    const clientId = context.param('client_id');
    requireApplication(context, clientId, requiredField(resource, body, 'client_secret'));
    const own = listOwn(context, account).find((record) => record.clientId === clientId);
    const record =
      own ??
      context.world.addToken(account.login, readScopes(body, 'scopes'), {
        clientId,
        note: stringField(resource, body, 'note'),
        noteUrl: stringField(resource, body, 'note_url'),
      });
    const rendered = renderAuthorization(context, record);
    return json(own ? 200 : 201, rendered, { location: rendered.url });
  },
};

/**
 * Returns the calling application's ID and checks that the path contains the same ID.
 * @throws {HttpError} 401 if the caller isn't an application, 404 if the IDs differ.
 */
function requireClientId(context: HostingContext): string {
  const { application } = context.caller;
  if (!application) throw unauthorized();
  if (application.clientId !== context.param('client_id')) throw notFound();
  return application.clientId;
}

/**
 * Returns the token in the path.
 * @throws {HttpError} 404 if the token isn't a valid token of the calling application.
 */
function requireRecord(context: HostingContext): AuthorizationRecord {
  const clientId = requireClientId(context);
  const record = context.state.tokens.get(context.param('access_token'));
  if (record?.clientId !== clientId) throw notFound();
  return record;
}

/** Routes that let applications manage the tokens issued to them. */
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
