import type { Call } from '../transport/call.js';
import { endpoint } from '../transport/endpoint.js';
import { filledText, flag, optional, record, text } from '../transport/input.js';
import type { Paginated } from '../transport/paginated.js';
import { done, itemsOf, plain, recordOf, sliceOf } from './answers.js';
import {
  type CaseInput,
  type DynamicAttributes,
  date,
  recordId,
  type SearchInput,
  type SupportCaller,
  type SupportRequestOptions,
  type SupportSearchOptions,
  searching,
  type TagChange,
  textOrTexts,
  wireDate,
  withAttributes,
} from './caller.js';
import { CaseCreated, Message, SupportCase, Tag } from './models/index.js';
import { search } from './search.js';

/** Input of {@link Cases.create}. */
export interface CreateCase {
  /** Name of the campaign. */
  readonly campaign?: string | undefined;
  readonly contact_id?: number | string | undefined;
  readonly subject?: string | undefined;
  /** Channel to start the case on. */
  readonly source?: string | undefined;
  /** Initial type of communication. */
  readonly private?: boolean | undefined;
  /** One note or several. */
  readonly note?: string | readonly string[] | undefined;
  /** One tag or several. */
  readonly tag?: string | readonly string[] | undefined;
  /** Have the whole new case in the answer, under `data`. */
  readonly echo_data?: boolean | undefined;
  /** Dynamic attributes, stored as they are given. */
  readonly attributes?: DynamicAttributes | undefined;
}

/** Input of {@link Cases.update}. */
export interface UpdateCase extends CaseInput {
  readonly subject?: string | undefined;
  /** One note or several, added to those there are. */
  readonly note?: string | readonly string[] | undefined;
  /** One tag or several. */
  readonly tag?: string | readonly string[] | undefined;
  readonly echo_data?: boolean | undefined;
  /** Dynamic attributes, stored as they are given. */
  readonly attributes?: DynamicAttributes | undefined;
}

/** Input of {@link Cases.search}. */
export interface SearchCases extends SearchInput {
  readonly contact_id?: number | string | undefined;
  readonly campaign_id?: number | string | undefined;
  /** `Open` or `Closed`. */
  readonly state?: 'Open' | 'Closed' | (string & {}) | undefined;
  /** Channel. */
  readonly source?: string | undefined;
  readonly with_tag?: string | undefined;
  readonly without_tag?: string | undefined;
  /** A `Date`, or the contract's format. */
  readonly created_since?: Date | string | undefined;
  /** A `Date`, or the contract's format. */
  readonly updated_since?: Date | string | undefined;
}

/** Names a message by its channel. */
export interface MessageInput extends CaseInput {
  /** Channel. */
  readonly source: string;
  /** Id of the message in that channel. */
  readonly ext_id: string;
}

/** Input of {@link Cases.updateTags}. */
export interface CaseTagChange extends CaseInput, TagChange {}

const fields = {
  subject: optional(text),
  note: optional(textOrTexts),
  tag: optional(textOrTexts),
  echo_data: optional(flag),
  attributes: optional(record),
};

const reserved = [
  ...Object.keys(fields),
  'id',
  'case_id',
  'campaign',
  'contact_id',
  'source',
  'private',
];
const inCase = { case_id: recordId };

const createCase = endpoint<CreateCase>()({
  operation: 'cases.create',
  method: 'POST',
  path: '/case',
  input: {
    campaign: optional(filledText),
    contact_id: optional(recordId),
    source: optional(filledText),
    private: optional(flag),
    ...fields,
  },
  encoding: 'form',
  wire: ({ attributes, ...named }) => withAttributes('cases.create', named, reserved, attributes),
  answer: plain(CaseCreated),
});

const updateCase = endpoint<UpdateCase>()({
  operation: 'cases.update',
  method: 'POST',
  path: '/case/{case_id}',
  input: { ...inCase, ...fields },
  encoding: 'form',
  wire: ({ attributes, case_id: _inPath, ...named }) =>
    withAttributes('cases.update', named, reserved, attributes),
  answer: recordOf(SupportCase, 'data', 'case'),
});

const getCase = endpoint<CaseInput>()({
  operation: 'cases.get',
  method: 'GET',
  path: '/case/{case_id}',
  input: inCase,
  answer: recordOf(SupportCase, 'data', 'case'),
});

const searchCases = endpoint<SearchCases>()({
  operation: 'cases.search',
  method: 'GET',
  path: '/case',
  input: {
    ...searching,
    contact_id: optional(recordId),
    campaign_id: optional(recordId),
    state: optional(filledText),
    source: optional(filledText),
    with_tag: optional(filledText),
    without_tag: optional(filledText),
    created_since: optional(date),
    updated_since: optional(date),
  },
  wire: (input) => ({
    ...input,
    created_since: wireDate(input.created_since),
    updated_since: wireDate(input.updated_since),
  }),
  answer: sliceOf(SupportCase),
});

const listMessages = endpoint<CaseInput>()({
  operation: 'cases.listMessages',
  method: 'GET',
  path: '/case/{case_id}/messages',
  input: inCase,
  answer: itemsOf(Message),
});

const message = { ...inCase, source: filledText, ext_id: filledText };

const addMessage = endpoint<MessageInput>()({
  operation: 'cases.addMessage',
  method: 'POST',
  path: '/case/{case_id}/messages/add',
  input: message,
  encoding: 'form',
  answer: done,
});

const removeMessage = endpoint<MessageInput>()({
  operation: 'cases.removeMessage',
  method: 'POST',
  path: '/case/{case_id}/messages/remove',
  input: message,
  encoding: 'form',
  answer: done,
});

const listTags = endpoint<CaseInput>()({
  operation: 'cases.listTags',
  method: 'GET',
  path: '/case/{case_id}/tags',
  input: inCase,
  answer: itemsOf(Tag),
});

const updateTags = endpoint<CaseTagChange>()({
  operation: 'cases.updateTags',
  method: 'POST',
  path: '/case/{case_id}/tags',
  input: { ...inCase, add: optional(textOrTexts), remove: optional(textOrTexts) },
  encoding: 'form',
  answer: recordOf(SupportCase, 'data', 'case'),
});

/** Cases: units of work for a contact (contract section "Support API v2"). */
export class Cases {
  readonly #caller: SupportCaller;

  constructor(caller: SupportCaller) {
    this.#caller = caller;
  }

  /** Opens a case. @throws {OperationFailedError} the server refused, with its reason. */
  create(input: CreateCase, options?: SupportRequestOptions): Call<CaseCreated> {
    return this.#caller.call(createCase, input, options);
  }

  /** Changes a case. @throws {OperationFailedError} the server refused, with its reason. */
  update(input: UpdateCase, options?: SupportRequestOptions): Call<SupportCase> {
    return this.#caller.call(updateCase, input, options);
  }

  /** One case. @throws {NotFoundError} */
  get(input: CaseInput, options?: SupportRequestOptions): Call<SupportCase> {
    return this.#caller.call(getCase, input, options);
  }

  /** Cases by criteria. Offsets shift as records move: see {@link Contacts.search}. */
  search(input: SearchCases = {}, options?: SupportSearchOptions): Paginated<SupportCase> {
    return search(this.#caller, searchCases, input, options);
  }

  /** Messages linked to a case. */
  listMessages(input: CaseInput, options?: SupportRequestOptions): Call<Message[]> {
    return this.#caller.call(listMessages, input, options);
  }

  /** Links a message. */
  addMessage(input: MessageInput, options?: SupportRequestOptions): Call<void> {
    return this.#caller.call(addMessage, input, options);
  }

  /** Unlinks a message. */
  removeMessage(input: MessageInput, options?: SupportRequestOptions): Call<void> {
    return this.#caller.call(removeMessage, input, options);
  }

  /** Tags of a case. */
  listTags(input: CaseInput, options?: SupportRequestOptions): Call<Tag[]> {
    return this.#caller.call(listTags, input, options);
  }

  /**
   * Adds and removes tags.
   * @remarks Outside the service contract; public documentation.
   */
  updateTags(input: CaseTagChange, options?: SupportRequestOptions): Call<SupportCase> {
    return this.#caller.call(updateTags, input, options);
  }
}
