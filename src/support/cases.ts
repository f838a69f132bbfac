import type { Call, JsonCall } from '../transport/api-client.js';
import type { Paginated } from '../transport/pagination/paginated.js';
import { defineEndpoint, unspecified } from '../transport/request/endpoint.js';
import { filledText, flag, optional, text } from '../transport/request/input.js';
import { changedSince } from './changes.js';
import {
  anyId,
  anyList,
  attributed,
  type CaseInput,
  type ChannelInput,
  date,
  done,
  inChannel,
  listByOffset,
  type RecordFields,
  recordBody,
  recordFields,
  recordId,
  type SearchInput,
  type SupportRequestOptions,
  SupportResource,
  type SupportSearchOptions,
  searching,
  slice,
  type TagChange,
  tagChange,
  wholeBody,
  wireDate,
  withAttributes,
} from './common.js';
import {
  CaseCreated,
  type DynamicAttributes,
  Message,
  SupportCase,
  Tag,
  type WithAttributes,
} from './models/index.js';

/** Writable fields of a case. */
export interface CaseFields<Attributes = DynamicAttributes> extends RecordFields<Attributes> {
  /** Subject of the case. */
  readonly subject?: string | undefined;
  /**
   * Whether the server returns the whole case. `create` returns the case in `data`. Default: set by
   * the server.
   */
  readonly echo_data?: boolean | undefined;
}

/** Input of {@link Cases.create}. */
export interface CreateCase<Attributes = DynamicAttributes> extends CaseFields<Attributes> {
  /** Name of the campaign. */
  readonly campaign?: string | undefined;
  /** ID of the contact that the case is for. */
  readonly contact_id?: number | string | undefined;
  /** Channel to start the case in. */
  readonly source?: string | undefined;
  /** Whether the case starts with a private conversation. */
  readonly private?: boolean | undefined;
}

/** Input of {@link Cases.update}. */
export interface UpdateCase<Attributes = DynamicAttributes>
  extends CaseInput,
    CaseFields<Attributes> {}

/** Input of {@link Cases.search}. */
export interface SearchCases extends SearchInput {
  /** ID of the contact to filter by. */
  readonly contact_id?: number | string | undefined;
  /** ID of the campaign to filter by. */
  readonly campaign_id?: number | string | undefined;
  /** State to filter by: `Open` or `Closed`. */
  readonly state?: 'Open' | 'Closed' | (string & {}) | undefined;
  /** Channel to filter by. */
  readonly source?: string | undefined;
  /** Tag that the cases must have. */
  readonly with_tag?: string | undefined;
  /** Tag that the cases must not have. */
  readonly without_tag?: string | undefined;
  /**
   * Earliest creation time, as a `Date`, a string in the form `yyyy-MM-ddTHH:mm:ss±hhmm`, or an ISO
   * 8601 string with a time and an offset.
   */
  readonly created_since?: Date | string | undefined;
  /**
   * Earliest time of the last change, as a `Date`, a string in the form `yyyy-MM-ddTHH:mm:ss±hhmm`,
   * or an ISO 8601 string with a time and an offset.
   */
  readonly updated_since?: Date | string | undefined;
}

/** Input of {@link Cases.updateTags}. */
export interface CaseTagChange extends CaseInput, TagChange {}

/** Input that identifies a case's message in a channel. */
export interface MessageInput extends CaseInput, ChannelInput {}

const fields = { subject: optional(text), echo_data: optional(flag), ...recordFields };

/** Response with a case, in a format that the API doesn't specify. */
const anyCase = unspecified(recordBody(SupportCase, 'data', 'case'));

const reserved = [...Object.keys(fields), 'id', 'case_id'];
const ofCreation = ['campaign', 'contact_id', 'source', 'private'];
const inCase = { case_id: recordId };

const createCase = defineEndpoint<CreateCase>('POST /case')({
  operation: 'cases.create',
  input: {
    campaign: optional(filledText),
    contact_id: optional(anyId),
    source: optional(filledText),
    private: optional(flag),
    ...fields,
  },
  encoding: 'form',
  serialize: withAttributes('cases.create', [...reserved, ...ofCreation]),
  response: wholeBody(CaseCreated),
});

const updateCase = defineEndpoint<UpdateCase>('POST /case/{case_id}')({
  operation: 'cases.update',
  input: { ...inCase, ...fields },
  encoding: 'form',
  serialize: withAttributes('cases.update', reserved),
  response: recordBody(SupportCase, 'data', 'case'),
});

const getCase = defineEndpoint<CaseInput>('GET /case/{case_id}')({
  operation: 'cases.get',
  input: inCase,
  response: anyCase,
});

const searchCases = defineEndpoint<SearchCases>('GET /case')({
  operation: 'cases.search',
  input: {
    ...searching,
    contact_id: optional(anyId),
    campaign_id: optional(anyId),
    state: optional(filledText),
    source: optional(filledText),
    with_tag: optional(filledText),
    without_tag: optional(filledText),
    created_since: optional(date),
    updated_since: optional(date),
  },
  serialize: (input) => ({
    ...input,
    created_since: wireDate(input.created_since),
    updated_since: wireDate(input.updated_since),
  }),
  response: slice(SupportCase),
});

const listMessages = defineEndpoint<CaseInput>('GET /case/{case_id}/messages')({
  operation: 'cases.listMessages',
  input: inCase,
  response: anyList(Message, 'messages'),
});

const message = { ...inCase, ...inChannel };

const addMessage = defineEndpoint<MessageInput>('POST /case/{case_id}/messages/add')({
  operation: 'cases.addMessage',
  input: message,
  encoding: 'form',
  response: done,
});

const removeMessage = defineEndpoint<MessageInput>('POST /case/{case_id}/messages/remove')({
  operation: 'cases.removeMessage',
  input: message,
  encoding: 'form',
  response: done,
});

const listTags = defineEndpoint<CaseInput>('GET /case/{case_id}/tags')({
  operation: 'cases.listTags',
  input: inCase,
  response: anyList(Tag, 'tags'),
});

const updateTags = defineEndpoint<CaseTagChange>('POST /case/{case_id}/tags')({
  operation: 'cases.updateTags',
  input: { ...inCase, ...tagChange },
  encoding: 'form',
  response: anyCase,
});

/** Cases, each of which tracks work for a contact. */
export class Cases<Attributes = DynamicAttributes> extends SupportResource {
  /**
   * `POST /case`
   *
   * Creates a case.
   * @throws {OperationFailedError} if the server rejects the operation. The error contains the
   * server's reason.
   * @example const { case_id } = await support.cases.create({ contact_id: 1, subject: 'It stopped' });
   */
  create(
    input: CreateCase<Attributes>,
    options?: SupportRequestOptions,
  ): JsonCall<WithAttributes<CaseCreated, Attributes>> {
    return this.api.call(attributed(createCase), input, options);
  }

  /**
   * `POST /case/{case_id}`
   *
   * Updates a case.
   * @throws {OperationFailedError} if the server rejects the operation. The error contains the
   * server's reason.
   * @example await support.cases.update({ case_id: 1, subject: 'It starts again', note: 'Fixed in 2.1' });
   */
  update(
    input: UpdateCase<Attributes>,
    options?: SupportRequestOptions,
  ): JsonCall<WithAttributes<SupportCase, Attributes>> {
    return this.api.call(attributed(updateCase), input, options);
  }

  /**
   * `GET /case/{case_id}`
   *
   * Returns a case.
   * @throws {NotFoundError} if the case doesn't exist.
   * @remarks The API doesn't specify the body of a successful response, so the client accepts any
   * JSON.
   * @example const found = await support.cases.get({ case_id: 1 });
   */
  get(
    input: CaseInput,
    options?: SupportRequestOptions,
  ): JsonCall<WithAttributes<SupportCase, Attributes>> {
    return this.api.call(attributed(getCase), input, options);
  }

  /**
   * `GET /case`
   *
   * Searches for cases. Changes during the search can shift the page offsets, so the list may skip
   * some records. To synchronize records, use {@link changedSince}.
   * @example for await (const found of support.cases.search({ updated_since: new Date('2025-01-01') })) console.log(found.id);
   */
  search(
    input: SearchCases = {},
    options?: SupportSearchOptions,
  ): Paginated<WithAttributes<SupportCase, Attributes>> {
    return listByOffset(this.api, attributed(searchCases), input, options);
  }

  /**
   * `GET /case`
   *
   * Lists the cases changed since a date (default: all cases), oldest change first. Lists every
   * changed case at least once. A case that changes during the iteration may be listed again. The
   * list starts 10 minutes before the date. After a crash, continue from the `cursor` of the last
   * page that you saved.
   * @throws {ResponseShapeError} if the server doesn't sort by `update_date`, or a record has no
   * ID.
   * @example for await (const each of support.cases.changedSince(new Date('2025-01-01'))) console.log(each.id);
   */
  changedSince(
    date?: Date | string,
    options?: SupportSearchOptions,
  ): Paginated<WithAttributes<SupportCase, Attributes>> {
    return changedSince((input, each) => this.search(input, each), date, options);
  }

  /**
   * `GET /case/{case_id}/messages`
   *
   * Lists the messages linked to a case.
   * @remarks The API doesn't specify the body of a successful response, so the client accepts any
   * JSON.
   * @example const messages = await support.cases.listMessages({ case_id: 1 });
   */
  listMessages(input: CaseInput, options?: SupportRequestOptions): JsonCall<Message[]> {
    return this.api.call(listMessages, input, options);
  }

  /**
   * `POST /case/{case_id}/messages/add`
   *
   * Links a message to a case.
   * @example await support.cases.addMessage({ case_id: 1, source: 'email', ext_id: 'mona@example.com' });
   */
  addMessage(input: MessageInput, options?: SupportRequestOptions): Call<void> {
    return this.api.call(addMessage, input, options);
  }

  /**
   * `POST /case/{case_id}/messages/remove`
   *
   * Unlinks a message from a case.
   * @example await support.cases.removeMessage({ case_id: 1, source: 'email', ext_id: 'mona@example.com' });
   */
  removeMessage(input: MessageInput, options?: SupportRequestOptions): Call<void> {
    return this.api.call(removeMessage, input, options);
  }

  /**
   * `GET /case/{case_id}/tags`
   *
   * Lists a case's tags.
   * @remarks The API doesn't specify the body of a successful response, so the client accepts any
   * JSON.
   * @example const tags = await support.cases.listTags({ case_id: 1 });
   */
  listTags(input: CaseInput, options?: SupportRequestOptions): JsonCall<Tag[]> {
    return this.api.call(listTags, input, options);
  }

  /**
   * `POST /case/{case_id}/tags`
   *
   * Adds and removes tags on a case.
   * @remarks The API doesn't specify the body of a successful response, so the client accepts any
   * JSON.
   * @example await support.cases.updateTags({ case_id: 1, add: ['urgent'] });
   */
  updateTags(
    input: CaseTagChange,
    options?: SupportRequestOptions,
  ): JsonCall<WithAttributes<SupportCase, Attributes>> {
    return this.api.call(attributed(updateTags), input, options);
  }
}
