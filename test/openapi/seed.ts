import { seeded } from '../../src/testing/index.js';

/** Values of inputs in the emulator's seed. An `id` comes from a list. */
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
