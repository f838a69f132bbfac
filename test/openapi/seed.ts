import { seeded } from '../../src/testing/index.js';

/** Input values that exist in the emulator's seed. Each `id` is read from a list instead. */
export const seedInputs: Readonly<Record<string, unknown>> = {
  owner: seeded.owner,
  repo: seeded.repo,
  org: seeded.owner,
  username: seeded.login,
  client_id: seeded.clientId,
  access_token: seeded.token,
  number: 1,
  contact_id: 1,
  case_id: 1,
  campaign: 'Support',
  path: 'README.md',
  ref: 'main',
  tag: 'v0.1.0',
  type: 'all',
};
