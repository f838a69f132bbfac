import * as models from '../support/models/index.js';
import { objectOf, schemaOf } from './zod-schema.js';

/** Campaign that a case belongs to. */
export const Campaign = objectOf(models.Campaign);

/** Result of creating a case. */
export const CaseCreated = objectOf(models.CaseCreated);

/** A person or company. */
export const Contact = objectOf(models.Contact);

/** Result of creating a contact. */
export const ContactCreated = objectOf(models.ContactCreated);

/** Note on a contact. */
export const ContactNote = objectOf(models.ContactNote);

/** Identity of a contact in one channel. */
export const ContactProfile = objectOf(models.ContactProfile);

/** Login status of a session. */
export const Me = objectOf(models.Me);

/** Message linked to a case. */
export const Message = objectOf(models.Message);

/** Unit of work for a representative. */
export const SupportCase = objectOf(models.SupportCase);

/** Tag in a list of tags. */
export const Tag = schemaOf(models.Tag);

/** Tag in the form of a record. */
export const TagRecord = objectOf(models.TagRecord);
