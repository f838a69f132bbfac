import { describe, expect, test } from 'vitest';
import { parseDelivery, signDelivery } from '../../../src/webhooks/index.js';

/** What each event carries beside the envelope. */
const fields: Readonly<Record<string, readonly string[]>> = {
  commit_comment: ['comment', 'issue', 'pull_request'],
  create: ['ref', 'ref_type'],
  delete: ['ref', 'ref_type'],
  deployment: ['deployment', 'deployment_status'],
  deployment_status: ['deployment', 'deployment_status'],
  fork: ['forkee'],
  gollum: ['pages'],
  issue_comment: ['comment', 'issue', 'pull_request'],
  issues: ['issue'],
  member: ['member'],
  page_build: ['build'],
  ping: ['zen', 'hook_id'],
  public: [],
  pull_request: ['number', 'pull_request'],
  pull_request_review_comment: ['comment', 'issue', 'pull_request'],
  push: [
    ...['ref', 'before', 'after', 'created', 'deleted', 'forced', 'compare'],
    ...['commits', 'head_commit'],
  ],
  release: ['release'],
  status: ['sha', 'state', 'description', 'target_url'],
  team_add: ['team'],
  watch: [],
};

/** What every event carries. */
const common = [
  ...['sender', 'repository', 'organization', 'action'],
  ...['id', 'type', 'url', 'html_url', 'avatar_url'].map((name) => `sender.${name}`),
  ...['id', 'name', 'full_name', 'owner', 'private', 'fork', 'url', 'html_url'].map(
    (name) => `repository.${name}`,
  ),
  'repository.default_branch',
  ...['login', 'name', 'id', 'email'].map((name) => `repository.owner.${name}`),
];

/** What is required. */
const base: Readonly<Record<string, object>> = {
  ping: { zen: 'z', hook_id: 3 },
  issues: { action: 'opened', issue: {} },
};

/** A payload that has a list of a number at a path: no field of any event is that. */
function wrongAt(path: string): object {
  const [first = '', ...rest] = path.split('.');
  if (rest.length === 0) return { [first]: [1] };
  return { [first]: { ...(first === 'sender' && { login: 'mona' }), ...wrongAt(rest.join('.')) } };
}

describe.each(Object.entries(fields))('%s', (event, own) => {
  test.each([...own, ...common])('%s of another type is refused, and named', (path) => {
    const payload = { ...base[event], ...wrongAt(path) };
    expect(() => parseDelivery(signDelivery({ event, payload }))).toThrow(
      expect.objectContaining({
        code: 'invalid_request',
        field: expect.stringMatching(`^payload\\.${path}(\\.0)?$`),
      }),
    );
  });
});
