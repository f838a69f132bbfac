import * as models from '../support/models/index.js';
import { toObjectSchema, toZodSchema } from './zod-schema.js';

/** Campaign that a case belongs to. */
export const Campaign = toObjectSchema(models.Campaign);

/** Result of creating a case. */
export const CaseCreated = toObjectSchema(models.CaseCreated);

/** Person or company. */
export const Contact = toObjectSchema(models.Contact);

/** Result of creating a contact. */
export const ContactCreated = toObjectSchema(models.ContactCreated);

/** Note on a contact. */
export const ContactNote = toObjectSchema(models.ContactNote);

/** Identity of a contact in one channel. */
export const ContactProfile = toObjectSchema(models.ContactProfile);

/** Login status of a session. */
export const Me = toObjectSchema(models.Me);

/** Message linked to a case. */
export const Message = toObjectSchema(models.Message);

/** Case that a representative works on. */
export const SupportCase = toObjectSchema(models.SupportCase);

/** Tag in a list of tags. */
export const Tag = toZodSchema(models.Tag);

/** Tag as a record. */
export const TagRecord = toObjectSchema(models.TagRecord);
