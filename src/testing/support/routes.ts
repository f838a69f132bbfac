import type { Contact, SupportCase } from '../../support/models/case.js';
import { type ErrorFormat, empty, type HttpError, httpError, json, type Reply } from '../reply.js';
import type { Routes } from '../router.js';
import { readDate, writeDate } from './dates.js';
import {
  type CaseData,
  type ContactData,
  caseKind,
  contactKind,
  findPlace,
  getTexts,
  type Link,
  type RecordData,
  type RecordKind,
  type StoredCase,
  type StoredContact,
  type StoredRecord,
} from './records.js';
import type { SupportSettings } from './settings.js';
import type { Records, SupportState } from './state.js';

export interface SupportContext {
  /** Parameters from the query and the form, without the token. */
  readonly values: URLSearchParams;
  readonly state: SupportState;
  readonly settings: SupportSettings;
  readonly rendering: Rendering;
  /** Name of the user of the session. Changed records name this user as their author. */
  readonly user: string;
  /** Returns one of the route's path parameters. */
  param(name: string): string;
}

/** Handler for a support API route. */
export type SupportRoute = (context: SupportContext) => Reply;

export type SupportRoutes = Routes<SupportRoute>;

/**
 * Creates an error in the support API's format. A 401 contains the message only in the reason
 * phrase. The API responds with 400 to every body that it can't read.
 */
export const formatSupportError: ErrorFormat = (status, statusMessage) => {
  if (status === 401) return { ...empty(401), statusText: statusMessage };
  const shown = status === 413 || status === 415 ? 400 : status;
  return json(shown, { success: false, statusMessage });
};

/** Creates a 200 response with `success: false`, for a POST that was processed but failed. */
export function failed(statusMessage: string): HttpError {
  return httpError(200, statusMessage);
}

/**
 * Returns a required POST parameter.
 * @throws {HttpError} with `success: false` if it is missing or empty.
 */
export function readRequired(values: URLSearchParams, name: string): string {
  const value = values.get(name);
  if (value === null || value === '') throw failed(`${name} is required`);
  return value;
}

/**
 * Returns the channel and ID of a profile or message.
 * @throws {HttpError} with `success: false` if either is missing.
 */
export function parseLink(values: URLSearchParams) {
  return { source: readRequired(values, 'source'), ext_id: readRequired(values, 'ext_id') };
}

/**
 * Returns an optional boolean POST parameter.
 * @throws {HttpError} with `success: false` if it is invalid.
 */
export function parseFlag(values: URLSearchParams, name: string): boolean | undefined {
  const value = values.get(name);
  if (value === null) return undefined;
  if (value !== 'true' && value !== 'false') throw failed(`${name} must be true or false`);
  return value === 'true';
}

/** Returns all non-empty values of a repeatable parameter. */
export function getAll(values: URLSearchParams, name: string): string[] {
  return values.getAll(name).filter((value) => value !== '');
}

/** Returns an optional integer GET parameter. @throws {HttpError} 400 if it is invalid. */
export function readWholeNumber(
  values: URLSearchParams,
  name: string,
  least: number,
): number | undefined {
  const value = values.get(name);
  if (value === null) return undefined;
  const number = Number(value);
  if (/^\d{1,15}$/.test(value) && number >= least) return number;
  throw httpError(400, `${name} must be a whole number of at least ${least}`);
}

/**
 * Returns an optional date GET parameter, in epoch ms.
 * @throws {HttpError} 400 if it is invalid.
 */
export function parseDate(values: URLSearchParams, name: string): number | undefined {
  const value = values.get(name);
  if (value === null) return undefined;
  const date = readDate(value);
  if (date === undefined)
    throw httpError(400, `${name} must be a date such as 2015-02-20T16:32:51-0300`);
  return date;
}

/** Settings for rendering a record. */
export interface Rendering {
  /** UTC offset of the domain in minutes. */
  readonly utcOffset: number;
  /** Origin of the last request, used as the base of record URLs. */
  readonly origin: string;
  /** State that contains the contacts and campaigns of cases. */
  readonly state: SupportState;
}

/** Renders a contact. Omits empty fields. */
export function renderContact(contact: StoredContact, how: Rendering): Contact {
  const { id, cases, profiles, notes } = contact;
  return {
    url: `${how.origin}/api/v2/contact/${id}`,
    ...Object.fromEntries(getTexts(contactKind, contact)),
    id,
    cases,
    ...(profiles.length > 0 && { profiles: profiles.map((profile) => ({ ...profile })) }),
    ...(notes.length > 0 && { notes: notes.map((note) => ({ ...note })) }),
    ...renderCommon(contact, how),
  };
}

/** Renders a case without notes, which the API doesn't return. */
export function renderCase(stored: StoredCase, how: Rendering): SupportCase {
  const { id, state, reopened, messages } = stored;
  const campaign = how.state.campaigns.get(stored.campaign ?? '');
  const contact = how.state.contacts.get(stored.contact_id ?? 0);
  const created = writeDate(stored.created, how.utcOffset);
  return {
    url: `${how.origin}/api/v2/case/${id}`,
    ...Object.fromEntries(getTexts(caseKind, stored)),
    id,
    state,
    reopened,
    private: stored.private,
    ...(campaign && { campaign: { ...campaign } }),
    ...(contact && { contact: renderContact(contact, how) }),
    credits: 0,
    handling_ms: 0,
    sla_seconds: 0,
    messages_sent: 0,
    messages_received: messages.length,
    messages: messages.length,
    first_open_date: created,
    inbox_date: created,
    // The emulator doesn't send messages, so there is never a reply.
    we_did_not_reply_since_date: created,
    last_open_date: writeDate(stored.lastOpened, how.utcOffset),
    ...renderCommon(stored, how),
  };
}

function renderCommon(record: StoredRecord, { utcOffset }: Rendering) {
  const { tags, created, updated, updated_by } = record;
  return {
    ...(tags.size > 0 && { tags: [...tags] }),
    creation_date: writeDate(created, utcOffset),
    update_date: writeDate(updated, utcOffset),
    ...(updated_by !== undefined && { updated_by }),
  };
}

/** Returns whether a search's results include a record. */
export type Filter<T> = (record: T) => boolean;

/** Sortable attributes that aren't text. */
export type SortKeys<T> = Readonly<Record<string, (record: T) => number | string>>;

/** Differences between the routes for contacts and cases. */
export interface RecordRoutes<T extends StoredRecord, D extends RecordData> {
  /** Kind of link that a record can have. */
  readonly link: 'profile' | 'message';
  /** Minimum number of links. */
  readonly fewestLinks: number;
  /** Parameters of a new record in addition to its text attributes. */
  readonly parameters: readonly string[];
  /** Sortable attributes that only this kind of record has. */
  readonly sortKeys: SortKeys<T>;
  records(state: SupportState): Records<T>;
  /** Creates a search filter. @throws {HttpError} 400 if a parameter is invalid. */
  filter(values: URLSearchParams, state: SupportState): Filter<T>;
  render(record: T, rendering: Rendering): object;
  /**
   * Adds a record.
   * @param data text attributes, tags and notes.
   * @throws {HttpError} with `success: false` if a parameter is invalid.
   */
  create(data: D, context: SupportContext): T;
  /**
   * Checks an update's parameters.
   * @throws {HttpError} with `success: false` if a parameter is invalid.
   */
  checkUpdate(values: URLSearchParams): void;
  links(record: T): Link[];
  /** Adds a link. @throws {HttpError} with `success: false` if a parameter is missing. */
  addLink(record: T, context: SupportContext): void;
}

/** POST parameters that aren't text attributes of the record. */
const parameters: ReadonlySet<string> = new Set(['id', 'note', 'tag', 'echo_data']);

/** Creates the routes for contacts or cases. */
export function createRecordRoutes<T extends StoredRecord, D extends RecordData>(
  kind: RecordKind,
  routes: RecordRoutes<T, D>,
): SupportRoutes {
  const { link } = routes;
  const links = `${link}s`;
  const path = `/${kind.name}`;
  const find = (context: SupportContext, id = context.param('id')): T => {
    const found = /^\d+$/.test(id) ? routes.records(context.state).get(Number(id)) : undefined;
    if (!found) throw httpError(404, `${kind.name} ${id} does not exist`);
    return found;
  };
  const save = (context: SupportContext, record: T, data: RecordData = {}): Reply => {
    const { state, user, rendering } = context;
    state.change(routes.records(state), record, { ...data, updated_by: user });
    return done(routes.render(record, rendering));
  };
  const create = (context: SupportContext): Reply => {
    const echo = parseFlag(context.values, 'echo_data');
    const record = routes.create(readData(kind, context, routes.parameters), context);
    const data = routes.render(record, context.rendering);
    return done({ [`${kind.name}_id`]: record.id, ...(echo && { data }) });
  };
  const update = (context: SupportContext, record: T): Reply => {
    routes.checkUpdate(context.values);
    return save(context, record, readData(kind, context));
  };

  return {
    [`GET ${path}`]: ({ values, state, settings, rendering }) => {
      const filter = routes.filter(values, state);
      const index = readWholeNumber(values, 'index', 0) ?? 0;
      const count = readWholeNumber(values, 'count', 1) ?? settings.defaultCount;
      const keys = { ...commonKeys, ...routes.sortKeys };
      const found = search(routes.records(state), filter, values, keys);
      const page = found.slice(index, index + Math.min(count, settings.maxCount));
      const items = page.map((record) => routes.render(record, rendering));
      return json(200, { success: true, total: found.length, items });
    },
    // `id` can be a parameter instead of the path's last segment.
    [`POST ${path}`]: (context) => {
      const id = context.values.get('id');
      return id === null || id === '' ? create(context) : update(context, find(context, id));
    },
    [`GET ${path}/:id`]: (context) => json(200, routes.render(find(context), context.rendering)),
    [`POST ${path}/:id`]: (context) => update(context, find(context)),

    [`GET ${path}/:id/${links}`]: (context) => done({ [links]: routes.links(find(context)) }),
    [`POST ${path}/:id/${links}/add`]: (context) => {
      const record = find(context);
      routes.addLink(record, context);
      save(context, record);
      return done();
    },
    [`POST ${path}/:id/${links}/remove`]: (context) => {
      const record = find(context);
      const list = routes.links(record);
      const at = findPlace(parseLink(context.values), list);
      // Removing a link that doesn't exist succeeds without effect.
      if (at === -1) return done({ statusMessage: `the ${link} is not linked` });
      if (list.length <= routes.fewestLinks) {
        throw failed(`a ${kind.name} must have at least one ${link}`);
      }
      list.splice(at, 1);
      save(context, record);
      return done();
    },

    [`GET ${path}/:id/tags`]: (context) => done({ tags: [...find(context).tags] }),
    [`POST ${path}/:id/tags`]: (context) => {
      const record = find(context);
      for (const tag of getAll(context.values, 'add')) record.tags.add(tag);
      for (const tag of getAll(context.values, 'remove')) record.tags.delete(tag);
      return save(context, record);
    },
  };
}

/** Creates the response to a successful POST. @param also additional members. */
export function done(also: object = {}): Reply {
  return json(200, { success: true, statusMessage: 'ok', ...also });
}

/**
 * Returns the text attributes, tags and notes in a POST request's parameters.
 * @param more Additional parameters that aren't text attributes.
 * @throws {HttpError} with `success: false` if a name is reserved.
 */
function readData<D extends RecordData>(
  { texts, reserved }: RecordKind,
  { values, user }: SupportContext,
  more: readonly string[] = [],
): D {
  const passed = [...values].filter(([name]) => !parameters.has(name) && !more.includes(name));
  for (const [name] of passed) {
    if (name === '' || reserved.has(name)) {
      throw failed(`${name === '' ? 'An attribute without a name' : name} can't be set`);
    }
  }
  const data: RecordData = {
    ...Object.fromEntries(passed.filter(([name]) => texts.includes(name))),
    attributes: Object.fromEntries(passed.filter(([name]) => !texts.includes(name))),
    tags: getAll(values, 'tag'),
    notes: getAll(values, 'note'),
    updated_by: user,
  };
  // `as`: all other properties of a record's data are optional.
  return data as D;
}

const commonKeys: SortKeys<StoredRecord> = {
  id: ({ id }) => id,
  creation_date: ({ created }) => created,
  update_date: ({ updated }) => updated,
};

/**
 * Returns the records that a filter accepts, in the requested order. Records with equal keys are
 * sorted by ID. `DESC` reverses the whole order.
 * @throws {HttpError} 400 if `order_dir` is invalid.
 */
function search<T extends StoredRecord>(
  { all, kind }: Records<T>,
  filter: Filter<T>,
  values: URLSearchParams,
  keys: SortKeys<T>,
) {
  const direction = values.get('order_dir') ?? 'ASC';
  if (direction !== 'ASC' && direction !== 'DESC')
    throw httpError(400, 'order_dir must be ASC or DESC');
  const by = values.get('order_by') ?? 'id';
  const text = (record: T) => getTexts(kind, record).get(by) ?? '';
  const key = (Object.hasOwn(keys, by) ? keys[by] : undefined) ?? text;
  const keyed = [...all]
    .filter(filter)
    .map((record) => ({ id: record.id, key: key(record), record }));
  keyed.sort((a, b) => (a.key === b.key ? a.id - b.id : a.key < b.key ? -1 : 1));
  const ordered = keyed.map(({ record }) => record);
  return direction === 'DESC' ? ordered.reverse() : ordered;
}

export const contactRoutes: RecordRoutes<StoredContact, ContactData> = {
  link: 'profile',
  fewestLinks: 1,
  parameters: [],
  sortKeys: {},
  records: ({ contacts }) => contacts,
  render: renderContact,
  links: ({ profiles }) => profiles,

  // `name` matches any part of a name, case-insensitively. `crm_id` must match exactly.
  filter(values) {
    const crmId = values.get('crm_id');
    const name = values.get('name')?.toLowerCase();
    const since = parseDate(values, 'updated_since');
    // Blank attributes count as missing.
    return (contact) =>
      (crmId === null || (contact.crm_id || undefined) === crmId) &&
      (name === undefined || (contact.name !== '' && contact.name.toLowerCase().includes(name))) &&
      (since === undefined || contact.updated >= since);
  },

  create(data, { values, state }) {
    readRequired(values, 'name');
    return state.addContact(data);
  },

  checkUpdate(values) {
    readRequired(values, 'name');
  },

  addLink(contact, { values, state }) {
    const userName = values.get('user_name');
    const name = values.get('name');
    state.link(contact, {
      ...parseLink(values),
      ...(userName && { user_name: userName }),
      ...(name && { name }),
    });
  },
};

export const caseRoutes: RecordRoutes<StoredCase, CaseData> = {
  link: 'message',
  fewestLinks: 0,
  parameters: ['campaign', 'contact_id', 'private'],
  sortKeys: { state: ({ state }) => state },
  records: ({ cases }) => cases,
  render: renderCase,
  links: ({ messages }) => messages,

  filter(values, { campaigns }) {
    const contactId = readWholeNumber(values, 'contact_id', 0);
    const campaignId = readWholeNumber(values, 'campaign_id', 0);
    const createdSince = parseDate(values, 'created_since');
    const updatedSince = parseDate(values, 'updated_since');
    const [state, source] = [values.get('state'), values.get('source')];
    const [withTag, withoutTag] = [values.get('with_tag'), values.get('without_tag')];
    // A blank source counts as missing.
    return (stored) =>
      (contactId === undefined || stored.contact_id === contactId) &&
      (campaignId === undefined || campaigns.get(stored.campaign ?? '')?.id === campaignId) &&
      (state === null || stored.state === state) &&
      (source === null || (stored.source || undefined) === source) &&
      (withTag === null || stored.tags.has(withTag)) &&
      (withoutTag === null || !stored.tags.has(withoutTag)) &&
      (createdSince === undefined || stored.created >= createdSince) &&
      (updatedSince === undefined || stored.updated >= updatedSince);
  },

  create(data, { values, state }) {
    const isPrivate = parseFlag(values, 'private');
    const contactId = values.get('contact_id');
    const contact = contactId ? state.contacts.get(Number(contactId)) : undefined;
    if (contactId && !contact) throw failed(`contact ${contactId} does not exist`);
    const campaign = values.get('campaign') || undefined;
    if (campaign !== undefined && !state.campaigns.has(campaign))
      throw failed(`campaign ${campaign} does not exist`);
    return state.addCase({ ...data, campaign, contact_id: contact?.id, private: isPrivate });
  },

  // `echo_data` is validated but not used, because the response always contains the case.
  checkUpdate(values) {
    parseFlag(values, 'echo_data');
  },

  addLink({ messages }, { values }) {
    const message = parseLink(values);
    if (findPlace(message, messages) === -1) messages.push(message);
  },
};
