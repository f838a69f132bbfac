import * as models from '../support/models/index.js';
import { objectOf, schemaOf } from './zod-schema.js';

/** The campaign a case belongs to. */
export const Campaign = objectOf(models.Campaign);

/** What creating a case answers. */
export const CaseCreated = objectOf(models.CaseCreated);

/** A person or company. */
export const Contact = objectOf(models.Contact);

/** What creating a contact answers. */
export const ContactCreated = objectOf(models.ContactCreated);

/** A note on a contact. */
export const ContactNote = objectOf(models.ContactNote);

/** A contact's identity in one channel. */
export const ContactProfile = objectOf(models.ContactProfile);

/** Whether a session is logged in. */
export const Me = objectOf(models.Me);

/** A message linked to a case. */
export const Message = objectOf(models.Message);

/** A unit of work for a representative. */
export const SupportCase = objectOf(models.SupportCase);

/** A tag, as lists of tags give it. */
export const Tag = schemaOf(models.Tag);

/** A tag in the form of a record. */
export const TagRecord = objectOf(models.TagRecord);
