import { httpError, json } from '../reply.js';
import type { Router } from '../router.js';
import { changeTags, done, parseAttributes, write } from './attributes.js';
import type { SupportContext, SupportRoute } from './context.js';
import { failed } from './errors.js';
import { getAll, parseDate, parseFlag, parseLink, wholeNumber } from './parameters.js';
import { caseNames, findPlace, type StoredCase } from './records.js';
import { renderCase } from './render.js';
import type { Filter } from './search.js';

const named = new Set(['id', 'subject', 'note', 'tag', 'echo_data']);
const namedAtFirst = new Set([...named, 'campaign', 'contact_id', 'source', 'private']);

export function addCases(router: Router<SupportRoute>): void {
  router.add('GET /case', ({ values, settings, rendering, caseSearch }) =>
    caseSearch.answer(values, settings, caseFilter(values), (each) => renderCase(each, rendering)),
  );
  // `id` can be a parameter instead of the last segment of the path.
  router.add('POST /case', (context) => {
    const id = context.values.get('id');
    return id === null || id === '' ? create(context) : update(context, findCase(context, id));
  });
  router.add('GET /case/:id', (context) =>
    json(200, renderCase(findCase(context), context.rendering)),
  );
  router.add('POST /case/:id', (context) => update(context, findCase(context)));
  router.add('GET /case/:id/messages', (context) => {
    const { messages } = findCase(context);
    return done({ messages });
  });
  router.add('POST /case/:id/messages/add', addMessage);
  router.add('POST /case/:id/messages/remove', removeMessage);
  router.add('GET /case/:id/tags', (context) => done({ tags: [...findCase(context).tags] }));
  router.add('POST /case/:id/tags', (context) => {
    const stored = findCase(context);
    changeTags(stored, context.values);
    return saved(context, stored);
  });
}

/** Returns the case with an id. @throws {HttpError} 404 if there is none. */
function findCase(context: SupportContext, id = context.param('id')): StoredCase {
  const stored = /^\d+$/.test(id) ? context.state.cases.get(Number(id)) : undefined;
  if (!stored) throw httpError(404, `case ${id} does not exist`);
  return stored;
}

function caseFilter(values: URLSearchParams): Filter<StoredCase> {
  const contactId = wholeNumber(values, 'contact_id', 0);
  const campaignId = wholeNumber(values, 'campaign_id', 0);
  const createdSince = parseDate(values, 'created_since');
  const updatedSince = parseDate(values, 'updated_since');
  const [state, source] = [values.get('state'), values.get('source')];
  const [withTag, withoutTag] = [values.get('with_tag'), values.get('without_tag')];
  return (stored) =>
    (contactId === undefined || stored.contact?.id === contactId) &&
    (campaignId === undefined || stored.campaign?.id === campaignId) &&
    (state === null || stored.state === state) &&
    (source === null || stored.texts.get('source') === source) &&
    (withTag === null || stored.tags.has(withTag)) &&
    (withoutTag === null || !stored.tags.has(withoutTag)) &&
    (createdSince === undefined || stored.created >= createdSince) &&
    (updatedSince === undefined || stored.updated >= updatedSince);
}

function create(context: SupportContext) {
  const { values, state, change, rendering } = context;
  const attributes = parseAttributes(values, caseNames, namedAtFirst);
  const isPrivate = parseFlag(values, 'private') ?? false;
  const echo = parseFlag(values, 'echo_data');
  const contactId = values.get('contact_id');
  const contact = contactId ? state.contacts.get(Number(contactId)) : undefined;
  if (contactId && !contact) throw failed(`contact ${contactId} does not exist`);
  const name = values.get('campaign');
  const campaign = name ? state.campaigns.get(name) : undefined;
  if (name && !campaign) throw failed(`there is no campaign ${name}`);
  const stored = state.newCase(change, { campaign, contact, private: isPrivate });
  write(stored, values, ['subject', 'source'], attributes);
  state.note(stored, getAll(values, 'note'), change);
  state.cases.set(stored);
  const data = renderCase(stored, rendering);
  return done({ case_id: stored.id, ...(echo && { data }) });
}

function update(context: SupportContext, stored: StoredCase) {
  const { values, state, change } = context;
  parseFlag(values, 'echo_data'); // validated only: the response always contains the case
  const attributes = parseAttributes(values, caseNames, named);
  write(stored, values, ['subject'], attributes);
  state.note(stored, getAll(values, 'note'), change);
  return saved(context, stored);
}

function addMessage(context: SupportContext) {
  const stored = findCase(context);
  const message = parseLink(context.values);
  if (findPlace(message, stored.messages) === -1) stored.messages.push(message);
  saved(context, stored);
  return done();
}

function removeMessage(context: SupportContext) {
  const stored = findCase(context);
  const at = findPlace(parseLink(context.values), stored.messages);
  if (at === -1) return done({ statusMessage: 'the message is not linked' });
  stored.messages.splice(at, 1);
  saved(context, stored);
  return done();
}

function saved(context: SupportContext, stored: StoredCase) {
  context.state.stamp(stored, context.change);
  context.state.cases.set(stored);
  return done(renderCase(stored, context.rendering));
}
