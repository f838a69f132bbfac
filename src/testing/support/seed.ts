import type { EmulatorClock } from '../clock.js';
import { Random } from '../random.js';
import type { SupportState } from './state.js';

/** Credentials of a seeded emulator, for `new SupportClient({ auth: supportSeed, … })`. */
export const supportSeed = {
  userName: 'mona',
  apiKey: 'f00dfeed0123456789abcdef',
  password: 'correct horse battery staple',
} as const;

const first = ['Ada', 'Alan', 'Barbara', 'Dennis', 'Edsger', 'Grace', 'Hedy', 'Ken'] as const;
const last = ['Byron', 'Mathison', 'Huberman', 'Ritchie', 'Wybe', 'Murray', 'Kiesler'] as const;
const sources = ['email', 'twitter', 'facebook', 'sms'] as const;
const tags = ['vip', 'trial', 'press', 'churned'] as const;
const day = 24 * 3600 * 1000;

/**
 * Fills an empty state with:
 * - a user ({@link supportSeed});
 * - 250 contacts, each with a name, a `crm_id` (`crm-1` to `crm-250`) and one profile, and some
 *   with tags and notes;
 * - the campaigns `Support` and `Spring`;
 * - 120 cases for the first 40 contacts, with every third case closed.
 */
export function seedSupport(state: SupportState, clock: EmulatorClock): void {
  const random = new Random(2015);
  const ago = (days: number) =>
    new Date(clock.now.getTime() - Math.round(days * day)).toISOString();
  state.sessions.add(supportSeed);
  for (const campaign of ['Support', 'Spring']) state.campaign(campaign);
  for (let id = 1; id <= 250; id++) {
    const [firstName, lastName] = [random.pick(first), random.pick(last)];
    const name = `${firstName} ${lastName}`;
    const source = random.pick(sources);
    const extId = source === 'email' ? `person-${id}@example.com` : String(7000 + id);
    state.addContact({
      name,
      first_name: firstName,
      last_name: lastName,
      crm_id: `crm-${id}`,
      profiles: [{ source, ext_id: extId, name }],
      tags: random.below(3) === 0 ? [random.pick(tags)] : [],
      notes: random.below(5) === 0 ? ['called back'] : [],
      attributes: random.below(4) === 0 ? { segment: random.pick(['gold', 'silver']) } : {},
      created: ago(400 - id),
      updated: ago(random.next() * 100),
      updated_by: supportSeed.userName,
    });
  }
  for (let id = 1; id <= 120; id++) {
    state.addCase({
      subject: `Question ${id}`,
      source: random.pick(sources),
      campaign: random.pick(['Support', 'Spring']),
      contact_id: 1 + random.below(40),
      private: random.below(2) === 0,
      state: id % 3 === 0 ? 'Closed' : 'Open',
      tags: [random.pick(tags)],
      messages: [{ source: 'email', ext_id: `message-${id}` }],
      created: ago(100 - id / 2),
      updated: ago(random.next() * 40),
      updated_by: supportSeed.userName,
    });
  }
}
