import type { SupportClient } from '../../src/support/index.js';

/** One row of the contract's table "Support API v2": a call and its expected request. */
export interface SupportRow {
  /** Method and path, as in the contract. */
  readonly row: string;
  readonly call: (client: SupportClient) => Promise<unknown>;
  /** Path and query, without the token. */
  readonly url: string;
  /** Form, without the token. Undefined for a GET request. */
  readonly form?: string;
  readonly reply: unknown;
  /** Expected result. Default: the response. */
  readonly result?: unknown;
}

const contact = { id: 7, name: 'Ada', crm_id: 'c-7', vip: 'yes', tags: ['a'] };
const supportCase = { id: 9, subject: 'Help', state: 'Open', contact };
const ok = { success: true, statusMessage: 'ok' };
const since = new Date('2015-02-20T19:32:51Z');
const sinceText = '2015-02-20T19%3A32%3A51%2B0000';

export const supportRows: readonly SupportRow[] = [
  { row: 'GET /me', call: (c) => c.me(), url: '/me', reply: { ...ok, logged_in: true } },
  {
    row: 'POST /contact',
    call: (c) =>
      c.contacts.create({
        name: 'Ada',
        echo_data: true,
        note: ['a', 'b'],
        tag: 'x',
        attributes: { vip: 'yes', level: 3 },
      }),
    url: '/contact',
    form: 'name=Ada&echo_data=true&note=a&note=b&tag=x&vip=yes&level=3',
    reply: { ...ok, contact_id: 7, data: contact },
  },
  {
    row: 'POST /contact/<contact_id>',
    call: (c) =>
      c.contacts.update({
        contact_id: 7,
        name: 'Ada',
        first_name: 'A',
        last_name: 'B',
        crm_id: 'c',
        client_id: 'd',
        extended_value: 'e',
        note: 'n',
        tag: ['t', 'u'],
        attributes: { other: 'x & y' },
      }),
    url: '/contact/7',
    form: 'name=Ada&first_name=A&last_name=B&crm_id=c&client_id=d&extended_value=e&note=n&tag=t&tag=u&other=x%20%26%20y',
    reply: { ...ok, contact },
    result: contact,
  },
  {
    row: 'GET /contact/<contact_id>',
    call: (c) => c.contacts.get({ contact_id: '7' }),
    url: '/contact/7',
    reply: contact,
  },
  {
    row: 'GET /contact',
    call: (c) =>
      c.contacts
        .search({
          count: 5,
          index: 0,
          order_by: 'name',
          order_dir: 'ASC',
          crm_id: 'c',
          name: 'Ada',
          updated_since: since,
        })
        .toArray(),
    url: `/contact?count=5&index=0&order_by=name&order_dir=ASC&crm_id=c&name=Ada&updated_since=${sinceText}`,
    reply: { success: true, total: 1, items: [contact] },
    result: [contact],
  },
  {
    row: 'GET /contact/<contact_id>/profiles',
    call: (c) => c.contacts.listProfiles({ contact_id: 7 }),
    url: '/contact/7/profiles',
    reply: [{ id: 1, source: 'email', ext_id: 'a@b' }],
  },
  {
    row: 'POST /contact/<contact_id>/profiles/add',
    call: (c) =>
      c.contacts.addProfile({
        contact_id: 7,
        source: 'twitter',
        ext_id: '55',
        user_name: 'ada',
        name: 'Ada',
      }),
    url: '/contact/7/profiles/add',
    form: 'source=twitter&ext_id=55&user_name=ada&name=Ada',
    reply: ok,
    result: undefined,
  },
  {
    row: 'POST /contact/<contact_id>/profiles/remove',
    call: (c) => c.contacts.removeProfile({ contact_id: 7, source: 'twitter', ext_id: '55' }),
    url: '/contact/7/profiles/remove',
    form: 'source=twitter&ext_id=55',
    reply: ok,
    result: undefined,
  },
  {
    row: 'GET /contact/<contact_id>/tags',
    call: (c) => c.contacts.listTags({ contact_id: 7 }),
    url: '/contact/7/tags',
    reply: { success: true, tags: ['a', 'b'] },
    result: ['a', 'b'],
  },
  {
    row: 'POST /contact/<contact_id>/tags',
    call: (c) => c.contacts.updateTags({ contact_id: 7, add: ['a', 'b'], remove: ['c'] }),
    url: '/contact/7/tags',
    form: 'add=a&add=b&remove=c',
    reply: { ...ok, data: contact },
    result: contact,
  },
  {
    row: 'POST /case',
    call: (c) =>
      c.cases.create({
        campaign: 'Spring',
        contact_id: '7',
        subject: 'Help',
        source: 'email',
        private: false,
        note: 'n',
        tag: ['t'],
        echo_data: true,
        attributes: { priority: 'high' },
      }),
    url: '/case',
    form: 'campaign=Spring&contact_id=7&subject=Help&source=email&private=false&note=n&tag=t&echo_data=true&priority=high',
    reply: { ...ok, case_id: 9, data: supportCase },
  },
  {
    row: 'POST /case/<case_id>',
    call: (c) =>
      c.cases.update({
        case_id: 9,
        subject: 'Other',
        note: ['n'],
        tag: 't',
        echo_data: true,
        attributes: { priority: 'low' },
      }),
    url: '/case/9',
    form: 'subject=Other&note=n&tag=t&echo_data=true&priority=low',
    reply: { ...ok, case: supportCase },
    result: supportCase,
  },
  {
    row: 'GET /case/<case_id>',
    call: (c) => c.cases.get({ case_id: 9 }),
    url: '/case/9',
    reply: supportCase,
  },
  {
    row: 'GET /case',
    call: (c) =>
      c.cases
        .search({
          count: 5,
          index: 10,
          order_by: 'id',
          order_dir: 'DESC',
          contact_id: 7,
          campaign_id: 3,
          state: 'Open',
          source: 'email',
          with_tag: 'a',
          without_tag: 'b',
          created_since: since,
          updated_since: '2015-02-20T19:32:51+0000',
        })
        .toArray(),
    url: `/case?count=5&index=10&order_by=id&order_dir=DESC&contact_id=7&campaign_id=3&state=Open&source=email&with_tag=a&without_tag=b&created_since=${sinceText}&updated_since=${sinceText}`,
    reply: { success: true, total: 11, items: [supportCase] },
    result: [supportCase],
  },
  {
    row: 'GET /case/<case_id>/messages',
    call: (c) => c.cases.listMessages({ case_id: 9 }),
    url: '/case/9/messages',
    reply: { success: true, messages: [{ source: 'email', ext_id: 'm1' }] },
    result: [{ source: 'email', ext_id: 'm1' }],
  },
  {
    row: 'POST /case/<case_id>/messages/add',
    call: (c) => c.cases.addMessage({ case_id: 9, source: 'email', ext_id: 'm1' }),
    url: '/case/9/messages/add',
    form: 'source=email&ext_id=m1',
    reply: ok,
    result: undefined,
  },
  {
    row: 'POST /case/<case_id>/messages/remove',
    call: (c) => c.cases.removeMessage({ case_id: 9, source: 'email', ext_id: 'm1' }),
    url: '/case/9/messages/remove',
    form: 'source=email&ext_id=m1',
    reply: ok,
    result: undefined,
  },
  {
    row: 'GET /case/<case_id>/tags',
    call: (c) => c.cases.listTags({ case_id: 9 }),
    url: '/case/9/tags',
    reply: ['a'],
  },
  {
    row: 'POST /case/<case_id>/tags (not in the contract)',
    call: (c) => c.cases.updateTags({ case_id: 9, add: ['a'] }),
    url: '/case/9/tags',
    form: 'add=a',
    reply: supportCase,
  },
];
