import type { FamilyRequest } from '../family.js';
import type { Reply } from '../reply.js';
import type { StoredCase, StoredContact } from './records.js';
import type { Rendering } from './render.js';
import type { Search } from './search.js';
import type { SupportSettings } from './settings.js';
import type { Change, SupportState } from './state.js';

/** What a route works with. */
export interface SupportContext extends FamilyRequest {
  /** Parameters of query and form together, without the token. */
  readonly values: URLSearchParams;
  readonly state: SupportState;
  readonly settings: SupportSettings;
  readonly rendering: Rendering;
  readonly contactSearch: Search<StoredContact>;
  readonly caseSearch: Search<StoredCase>;
  /** Who changes something by this request. */
  readonly change: Change;
  /** A path parameter that the route names. */
  param(name: string): string;
}

/** One route of the support API. */
export type SupportRoute = (context: SupportContext) => Reply;
