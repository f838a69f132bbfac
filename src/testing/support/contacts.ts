import { parseDate, parseLink, readRequired } from './parameters.js';
import type { RecordRoutes } from './record-routes.js';
import type { ContactData, StoredContact } from './records.js';
import { renderContact } from './render.js';

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
