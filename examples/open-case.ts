// Open a support case for a customer
//
// Finds or creates the contact with a CRM ID, opens the case with notes and a tag, and prints the stored case.
//
//     npx triforge-emulator -- npx tsx node_modules/triforge/examples/open-case.ts crm-7
import { SupportClient } from 'triforge/support';

const [crm_id = 'crm-7'] = process.argv.slice(2);

await using support = SupportClient.fromEnv<{ product: string }>();
const { contacts, cases } = support;

const known = await contacts.search({ crm_id, count: 1 }).first();
const contact_id =
  known?.id ?? (await contacts.create({ name: `Customer ${crm_id}`, crm_id })).contact_id;
if (typeof contact_id !== 'number') throw new Error('the server returned no contact ID');
console.log(`Contact ${contact_id} ${known ? 'found' : 'created'} for ${crm_id}`);

const { case_id } = await cases.create({
  contact_id,
  campaign: 'Support',
  subject: 'The rocket does not start',
  note: ['Called at noon', 'Wants to be called back'],
  tag: 'urgent',
  attributes: { product: 'rocket 2' },
});
await cases.updateTags({ case_id, add: ['engineering'] });

const opened = await cases.get({ case_id });
console.log(`Case ${opened.id} (${opened.state}): ${opened.subject}`);
console.log(`Product: ${opened.product}`);
const tags = await cases.listTags({ case_id });
console.log(`Tags: ${tags.map((tag) => (typeof tag === 'string' ? tag : tag.name)).join(', ')}`);
