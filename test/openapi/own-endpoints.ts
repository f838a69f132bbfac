import * as z from 'zod';
import {
  endpoint,
  filledText,
  integer,
  oneOf,
  optional,
  paging,
  texts,
} from '../../src/extend/index.js';
import { HostingClient, Release } from '../../src/hosting/index.js';
import { User } from '../../src/schemas/index.js';

// Prism's mock server truncates recursive values, so every field is optional.
const Thread = z.object({
  body: z.optional(z.string()),
  get replies() {
    return z.optional(z.array(Thread));
  },
});
const Issue = z.object({
  number: z.int(),
  title: z.string(),
  user: User,
  threads: z.array(Thread),
});
const inRepo = { owner: filledText, repo: filledText };
const inIssue = { ...inRepo, number: integer(1) };
const repository = '/repos/{owner}/{repo}' as const;
const issues = {
  list: endpoint({
    path: `${repository}/issues`,
    input: { ...inRepo, ...paging, state: optional(oneOf('open', 'closed')) },
    schema: Issue,
    paginate: 'link',
  }),
  create: endpoint({
    method: 'POST',
    path: `${repository}/issues`,
    input: { ...inRepo, title: filledText, labels: optional(texts) },
    schema: Issue,
  }),
  lock: endpoint({
    method: 'PUT',
    path: `${repository}/issues/{number}/lock`,
    input: inIssue,
    responseType: 'none',
  }),
  isLocked: endpoint({
    path: `${repository}/issues/{number}/lock`,
    input: inIssue,
    responseType: 'exists',
  }),
  vote: endpoint({
    method: 'POST',
    path: `${repository}/issues/{number}/votes`,
    input: { ...inIssue, choices: texts },
    encoding: 'form',
    auth: 'basic',
  }),
};
const releases = {
  getNext: endpoint({ path: `${repository}/releases/next`, input: inRepo, schema: Release }),
};

/** Creates a client with custom endpoints of each kind. */
export function createOwnClient(baseUrl: string) {
  const auth = { type: 'basic', username: 'user', password: 'password' } as const;
  return new HostingClient({ baseUrl, auth, retry: false }).extend({ issues, releases });
}

/** Calls each custom endpoint once. */
export async function callOwnEndpoints(baseUrl: string): Promise<void> {
  await using client = createOwnClient(baseUrl);
  const rocket = { owner: 'acme', repo: 'rocket' };
  const issue = { ...rocket, number: 1 };
  await client.issues.list({ ...rocket, state: 'open', per_page: 2 }).first();
  await client.issues.create({ ...rocket, title: 'a', labels: ['b', 'c'] });
  await client.issues.lock(issue);
  await client.issues.isLocked(issue);
  await client.issues.vote({ ...issue, choices: ['a', 'b'] });
  await client.releases.getNext(rocket);
}
