import { failed, parseDate, parseFlag, parseLink, readWholeNumber } from './parameters.js';
import type { RecordRoutes } from './record-routes.js';
import { type CaseData, findPlace, type StoredCase } from './records.js';
import { renderCase } from './render.js';

export const caseRoutes: RecordRoutes<StoredCase, CaseData> = {
  link: 'message',
  fewestLinks: 0,
  parameters: ['campaign', 'contact_id', 'private'],
  sortKeys: { state: ({ state }) => state },
  records: ({ cases }) => cases,
  render: renderCase,
  links: ({ messages }) => messages,

  filter(values, { campaigns }) {
    const contactId = readWholeNumber(values, 'contact_id', 0);
    const campaignId = readWholeNumber(values, 'campaign_id', 0);
    const createdSince = parseDate(values, 'created_since');
    const updatedSince = parseDate(values, 'updated_since');
    const [state, source] = [values.get('state'), values.get('source')];
    const [withTag, withoutTag] = [values.get('with_tag'), values.get('without_tag')];
    // A blank source counts as missing.
    return (stored) =>
      (contactId === undefined || stored.contact_id === contactId) &&
      (campaignId === undefined || campaigns.get(stored.campaign ?? '')?.id === campaignId) &&
      (state === null || stored.state === state) &&
      (source === null || (stored.source || undefined) === source) &&
      (withTag === null || stored.tags.has(withTag)) &&
      (withoutTag === null || !stored.tags.has(withoutTag)) &&
      (createdSince === undefined || stored.created >= createdSince) &&
      (updatedSince === undefined || stored.updated >= updatedSince);
  },

  create(data, { values, state }) {
    const isPrivate = parseFlag(values, 'private');
    const contactId = values.get('contact_id');
    const contact = contactId ? state.contacts.get(Number(contactId)) : undefined;
    if (contactId && !contact) throw failed(`contact ${contactId} does not exist`);
    const campaign = values.get('campaign') || undefined;
    if (campaign !== undefined && !state.campaigns.has(campaign))
      throw failed(`campaign ${campaign} does not exist`);
    return state.addCase({ ...data, campaign, contact_id: contact?.id, private: isPrivate });
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
