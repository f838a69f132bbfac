import { httpError, json } from '../reply.js';
import type { Router } from '../router.js';
import { changeTags, done, parseAttributes, write } from './attributes.js';
import type { SupportContext, SupportRoute } from './context.js';
import { failed } from './errors.js';
import { getAll, parseDate, parseFlag, parseLink, required } from './parameters.js';
import { contactNames, findPlace, type StoredContact } from './records.js';
import { renderContact } from './render.js';
import type { Filter } from './search.js';

const texts = ['name', 'first_name', 'last_name', 'crm_id', 'client_id', 'extended_value'] as const;
const named = new Set([...texts, 'id', 'note', 'tag', 'echo_data']);

export function addContacts(router: Router<SupportRoute>): void {
  router.add('GET /contact', ({ values, settings, rendering, contactSearch }) =>
    contactSearch.answer(values, settings, contactFilter(values), (each) =>
      renderContact(each, rendering),
    ),
  );
  // `id` can be a parameter instead of the last segment of the path.
  router.add('POST /contact', (context) => {
    const id = context.values.get('id');
    return id === null || id === '' ? create(context) : update(context, findContact(context, id));
  });
  router.add('GET /contact/:id', (context) =>
    json(200, renderContact(findContact(context), context.rendering)),
  );
  router.add('POST /contact/:id', (context) => update(context, findContact(context)));
  router.add('GET /contact/:id/profiles', (context) => {
    const { profiles } = findContact(context);
    return done({ profiles });
  });
  router.add('POST /contact/:id/profiles/add', addProfile);
  router.add('POST /contact/:id/profiles/remove', removeProfile);
  router.add('GET /contact/:id/tags', (context) => done({ tags: [...findContact(context).tags] }));
  router.add('POST /contact/:id/tags', (context) => {
    const contact = findContact(context);
    changeTags(contact, context.values);
    return saved(context, contact);
  });
}

/** Returns the contact with an id. @throws {HttpError} 404 if there is none. */
export function findContact(context: SupportContext, id = context.param('id')): StoredContact {
  const contact = /^\d+$/.test(id) ? context.state.contacts.get(Number(id)) : undefined;
  if (!contact) throw httpError(404, `contact ${id} does not exist`);
  return contact;
}

/** Creates a filter. `name` matches any part of a name, ignoring case; `crm_id` must be equal. */
function contactFilter(values: URLSearchParams): Filter<StoredContact> {
  const crmId = values.get('crm_id');
  const name = values.get('name')?.toLowerCase();
  const since = parseDate(values, 'updated_since');
  return ({ texts: has, updated }) =>
    (crmId === null || has.get('crm_id') === crmId) &&
    (name === undefined || has.get('name')?.toLowerCase().includes(name) === true) &&
    (since === undefined || updated >= since);
}

function create(context: SupportContext) {
  const { values, state, change } = context;
  const name = required(values, 'name');
  const echo = parseFlag(values, 'echo_data');
  const attributes = parseAttributes(values, contactNames, named);
  const contact = state.newContact(change);
  write(contact, values, texts, attributes);
  state.note(contact, getAll(values, 'note'), change);
  // A contact has at least one profile.
  state.link(contact, { source: 'api', ext_id: String(contact.id), name });
  state.contacts.set(contact);
  const data = renderContact(contact, context.rendering);
  return done({ contact_id: contact.id, ...(echo && { data }) });
}

function update(context: SupportContext, contact: StoredContact) {
  const { values, state, change } = context;
  required(values, 'name');
  const attributes = parseAttributes(values, contactNames, named);
  write(contact, values, texts, attributes);
  state.note(contact, getAll(values, 'note'), change);
  return saved(context, contact);
}

function addProfile(context: SupportContext) {
  const { values, state } = context;
  const contact = findContact(context);
  const userName = values.get('user_name');
  const name = values.get('name');
  state.link(contact, {
    ...parseLink(values),
    ...(userName && { user_name: userName }),
    ...(name && { name }),
  });
  saved(context, contact);
  return done();
}

function removeProfile(context: SupportContext) {
  const contact = findContact(context);
  const at = findPlace(parseLink(context.values), contact.profiles);
  // Unlinking a profile that is not associated succeeds without effect.
  if (at === -1) return done({ statusMessage: 'the profile is not associated' });
  if (contact.profiles.length === 1) throw failed('a contact has at least one profile');
  contact.profiles.splice(at, 1);
  saved(context, contact);
  return done();
}

function saved(context: SupportContext, contact: StoredContact) {
  context.state.stamp(contact, context.change);
  context.state.contacts.set(contact);
  return done(renderContact(contact, context.rendering));
}
