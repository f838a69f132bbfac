import { empty, json } from '../reply.js';
import type { Router } from '../router.js';
import { requireCaller, withId } from './access.js';
import type { HostingContext, HostingRoute } from './context.js';
import { type Body, readFields, requiredField, stringField, stringsField } from './fields.js';
import { paged } from './paging.js';
import type { Account } from './records/account.js';
import type { Application } from './records/application.js';
import type { AuthorizationRecord } from './records/authorization.js';
import { forbidden, invalid, unprocessable } from './refusals.js';
import { renderUser } from './render.js';
import { isScope, normalized } from './scopes.js';

const resource = 'OauthAccess';

export function renderAuthorization(context: HostingContext, record: AuthorizationRecord): object {
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

/** {@link renderAuthorization} with the user, for the responses to checks and resets. */
export function renderWithUser(context: HostingContext, record: AuthorizationRecord): object {
  return { ...renderAuthorization(context, record), user: renderUser(context, record.login) };
}

/** Returns the calling account. These endpoints require Basic authentication. */
function requireBasicCaller(context: HostingContext): Account {
  const account = requireCaller(context);
  if (context.caller.scheme !== 'basic') {
    throw forbidden('This API can only be accessed with username and password Basic Auth');
  }
  return account;
}

function listOwn(context: HostingContext): AuthorizationRecord[] {
  const { login } = requireBasicCaller(context);
  return [...context.state.tokens.values()].filter((record) => record.login === login);
}

function requireRecord(context: HostingContext): AuthorizationRecord {
  return withId(context, listOwn(context));
}

function readScopes(body: Body, field: string): string[] | undefined {
  const scopes = stringsField(resource, body, field);
  const unknown = scopes?.filter((scope) => !isScope(scope)) ?? [];
  if (unknown.length > 0) {
    throw unprocessable(`The scopes requested are invalid: ${unknown.join(', ')}.`);
  }
  return scopes;
}

/** Returns the application with an id and secret. @throws {HttpError} 422 if either is wrong. */
function requireApplication(context: HostingContext, id: string, secret: string): Application {
  const application = context.state.applications.get(id);
  if (!application) throw invalid(resource, 'client_id', 'invalid');
  if (application.clientSecret !== secret) {
    throw invalid(resource, 'client_secret', 'invalid');
  }
  return application;
}

const list: HostingRoute = (context) =>
  paged(context, listOwn(context), (record) => renderAuthorization(context, record), 'always');

const get: HostingRoute = (context) =>
  json(200, renderAuthorization(context, requireRecord(context)));

const create: HostingRoute = async (context) => {
  const { login } = requireBasicCaller(context);
  const body = await context.body();
  const note = requiredField(resource, body, 'note');
  // Some clients always send both fields, and leave unused ones empty.
  const clientId = stringField(resource, body, 'client_id') || undefined;
  const secret = stringField(resource, body, 'client_secret') || undefined;
  if (clientId !== undefined || secret !== undefined) {
    if (clientId === undefined) throw missing('client_id');
    if (secret === undefined) throw missing('client_secret');
    requireApplication(context, clientId, secret);
  }
  const noteUrl = stringField(resource, body, 'note_url');
  const scopes = readScopes(body, 'scopes');
  const record = context.world.addToken(login, scopes, { clientId, note, noteUrl });
  return json(201, renderAuthorization(context, record), authorizationUrl(context, record));
};

const getOrCreate: HostingRoute = async (context) => {
  const { login } = requireBasicCaller(context);
  const body = await context.body();
  const clientId = context.param('client_id');
  requireApplication(context, clientId, requiredField(resource, body, 'client_secret'));
  const own = listOwn(context).find((record) => record.clientId === clientId);
  if (own) return json(200, renderAuthorization(context, own), authorizationUrl(context, own));
  const record = context.world.addToken(login, readScopes(body, 'scopes'), {
    clientId,
    note: stringField(resource, body, 'note'),
    noteUrl: stringField(resource, body, 'note_url'),
  });
  return json(201, renderAuthorization(context, record), authorizationUrl(context, record));
};

const noteFields = { note: ['note', stringField], noteUrl: ['note_url', stringField] } as const;

const update: HostingRoute = async (context) => {
  const record = requireRecord(context);
  const body = await context.body();
  const replace = readScopes(body, 'scopes');
  const add = readScopes(body, 'add_scopes');
  const remove = readScopes(body, 'remove_scopes');
  if ([replace, add, remove].filter((each) => each !== undefined).length > 1) {
    throw unprocessable('Only one of scopes, add_scopes and remove_scopes can be given.');
  }
  const kept = (replace ?? record.scopes).filter((scope) => !remove?.includes(scope));
  const scopes = normalized([...kept, ...(add ?? [])]);
  const notes = readFields(resource, body, noteFields);
  Object.assign(record, notes, { scopes, updatedAt: context.clock.iso() });
  return json(200, renderAuthorization(context, record));
};

const remove: HostingRoute = (context) => {
  context.state.tokens.delete(requireRecord(context).token);
  return empty(204);
};

function missing(field: string) {
  return invalid(resource, field, 'missing_field');
}

function authorizationUrl(context: HostingContext, record: AuthorizationRecord) {
  return { location: `${context.api}/authorizations/${record.id}` };
}

/** Adds the routes with which users manage their tokens. */
export function addAuthorizations(router: Router<HostingRoute>): void {
  router.add('GET /authorizations', list);
  router.add('GET /authorizations/:id', get);
  router.add('POST /authorizations', create);
  router.add('PUT /authorizations/clients/:client_id', getOrCreate);
  router.add('PATCH /authorizations/:id', update);
  router.add('DELETE /authorizations/:id', remove);
}
