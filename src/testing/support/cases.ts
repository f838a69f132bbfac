import { failed } from './errors.js';
import { parseDate, parseFlag, parseLink, readWholeNumber } from './parameters.js';
import type { RecordRoutes } from './record-routes.js';
import { caseKind, findPlace, type StoredCase } from './records.js';
import { renderCase } from './render.js';

export const caseRoutes: RecordRoutes<StoredCase> = {
  kind: caseKind,
  link: 'message',
  fewestLinks: 0,
  parameters: ['campaign', 'contact_id', 'private'],
  sortKeys: { state: ({ state }) => state },
  records: ({ cases }) => cases,
  render: renderCase,
  links: ({ messages }) => messages,

  filter(values) {
    const contactId = readWholeNumber(values, 'contact_id', 0);
    const campaignId = readWholeNumber(values, 'campaign_id', 0);
    const createdSince = parseDate(values, 'created_since');
    const updatedSince = parseDate(values, 'updated_since');
    const [state, source] = [values.get('state'), values.get('source')];
    const [withTag, withoutTag] = [values.get('with_tag'), values.get('without_tag')];
    return (stored) =>
      (contactId === undefined || stored.contact?.id === contactId) &&
      (campaignId === undefined || stored.campaign?.id === campaignId) &&
      (state === null || stored.state === state) &&
      (source === null || stored.texts.get('source') === source) &&
      (withTag === null || stored.tags.has(withTag)) &&
      (withoutTag === null || !stored.tags.has(withoutTag)) &&
      (createdSince === undefined || stored.created >= createdSince) &&
      (updatedSince === undefined || stored.updated >= updatedSince);
  },

  create({ values, state, change }) {
    const isPrivate = parseFlag(values, 'private') ?? false;
    const contactId = values.get('contact_id');
    const contact = contactId ? state.contacts.get(Number(contactId)) : undefined;
    if (contactId && !contact) throw failed(`contact ${contactId} does not exist`);
    const name = values.get('campaign');
    const campaign = name ? state.campaigns.get(name) : undefined;
    if (name && !campaign) throw failed(`campaign ${name} does not exist`);
    return state.newCase(change, { campaign, contact, private: isPrivate });
  },

  // `echo_data` is validated but not used, because the response always contains the case.
  checkUpdate(values) {
    parseFlag(values, 'echo_data');
  },

  addLink({ messages }, { values }) {
    const message = parseLink(values);
    if (findPlace(message, messages) === -1) messages.push(message);
  },
};
