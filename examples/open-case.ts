// Opens a support case for a customer: finds the contact by its CRM id or makes one, opens the case,
// adds a note and a tag, and shows what the server kept. Runs by itself against the bundled emulator:
// `npx tsx examples/open-case.ts`. With TRIFORGE_SUPPORT_URL, TRIFORGE_USER_NAME, TRIFORGE_API_KEY,
// TRIFORGE_PASSWORD and TRIFORGE_CRM_ID set it works on a real server, and writes there.
import { isTriforgeError } from 'triforge';
import { connect } from './support-place.js';

const { TRIFORGE_CRM_ID: crm_id = 'crm-7' } = process.env;

await using place = connect();
const { contacts, cases } = place.support;

/** @returns the id of the contact, and whether it was made now. */
async function contactOf(crmId: string): Promise<{ id: number; made: boolean }> {
  const known = await contacts.search({ crm_id: crmId, count: 1 }).first();
  if (known) return { id: known.id, made: false };
  const { contact_id: id } = await contacts.create({ name: `Customer ${crmId}`, crm_id: crmId });
  return { id, made: true };
}

try {
  const contact = await contactOf(crm_id);
  console.log(`Contact ${contact.id} ${contact.made ? 'made' : 'found'} for ${crm_id}`);

  const { case_id } = await cases.create({
    contact_id: contact.id,
    campaign: 'Support',
    subject: 'The rocket does not start',
    note: ['Called at noon', 'Wants to be called back'],
    tag: 'urgent',
    attributes: { product: 'rocket 2' },
  });
  await cases.updateTags({ case_id, add: ['engineering'] });

  const opened = await cases.get({ case_id });
  console.log(`Case ${opened.id} (${opened.state}): ${opened.subject}`);
  // Attributes of the domain's own are unknown to the types: what they are is yours to check.
  console.log(`Product: ${String(opened.product)}`);
  console.log(`Tags: ${(await cases.listTags({ case_id })).join(', ')}`);
} catch (error) {
  if (!isTriforgeError(error)) throw error;
  console.error(error.code === 'operation_failed' ? error.statusMessage : error.message);
  process.exitCode = 1;
}
