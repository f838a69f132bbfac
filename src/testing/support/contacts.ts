import { parseDate, parseLink, readRequired } from './parameters.js';
import type { RecordRoutes } from './record-routes.js';
import { contactKind, type StoredContact } from './records.js';
import { renderContact } from './render.js';

export const contactRoutes: RecordRoutes<StoredContact> = {
  kind: contactKind,
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
    return ({ texts, updated }) =>
      (crmId === null || texts.get('crm_id') === crmId) &&
      (name === undefined || texts.get('name')?.toLowerCase().includes(name) === true) &&
      (since === undefined || updated >= since);
  },

  create({ values, state, change }) {
    const name = readRequired(values, 'name');
    const contact = state.newContact(change);
    state.link(contact, { source: 'api', ext_id: String(contact.id), name });
    return contact;
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
