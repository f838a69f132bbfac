export * from '../public.js';
export type * from './cases.js';
export { SupportClient, type SupportClientOptions } from './client.js';
export type {
  AttributeInputs,
  CaseInput,
  ChannelInput,
  ContactInput,
  RecordFields,
  SearchInput,
  SupportRequestOptions,
  SupportSearchOptions,
  TagChange,
} from './common.js';
export type * from './contacts.js';
export { formatSupportDate, parseSupportDate } from './dates.js';
export * from './models/index.js';
export type { AccessTokenAuth, SessionAuth, SupportAuth, SupportSession } from './session.js';
