import type { Loose, RecordOf } from '../record.js';
import type { caseFields, contactFields, recordFields } from './record-data.js';

/** Common properties of a new contact or case. */
export interface RecordSeed extends Loose<RecordOf<typeof recordFields>> {}

/** Properties of a new contact. */
export interface ContactSeed extends Loose<RecordOf<typeof contactFields>> {}

/** Properties of a new case. */
export interface CaseSeed extends Loose<RecordOf<typeof caseFields>> {}

/** Changes to apply to a contact directly, without an API request. An empty string removes an attribute. */
export type ContactTouch = Omit<ContactSeed, 'id' | 'created' | 'profiles'>;

/** Changes to apply to a case directly, without an API request. An empty string removes an attribute. */
export type CaseTouch = Pick<
  CaseSeed,
  'subject' | 'state' | 'tags' | 'notes' | 'updated' | 'updated_by' | 'attributes'
>;
