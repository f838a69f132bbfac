// Call endpoints that triforge doesn't cover
//
// Declares ten endpoints of a newer server as data, and opens an issue for each inactive branch. The
// emulator doesn't have these endpoints. See [Declare endpoints](../docs/extending.md#declare-endpoints).
//
//     TRIFORGE_BASE_URL=… TRIFORGE_TOKEN=… npx tsx node_modules/triforge/examples/own-endpoints.ts 2014-01-01
import { HostingClient } from 'triforge';
import {
  endpoint,
  filledText,
  integer,
  oneOf,
  optional,
  paging,
  text,
  texts,
} from 'triforge/extend';
import { User } from 'triforge/schemas';
import * as z from 'zod';

const Issue = z.object({ number: z.int(), title: z.string(), state: z.string(), user: User });
const Branch = z.object({ name: z.string() });
const Tip = z.object({ commit: z.object({ date: z.string() }) });

const inRepo = { owner: filledText, repo: filledText };
const inIssue = { ...inRepo, number: integer(1) };
const inLabel = { ...inRepo, name: filledText };
const state = optional(oneOf('open', 'closed'));
const repository = '/repos/{owner}/{repo}' as const;
const allIssues = `${repository}/issues` as const;
const oneIssue = `${allIssues}/{number}` as const;

const issues = {
  /** Lists a repository's issues, newest first. */
  list: endpoint({
    path: allIssues,
    input: { ...inRepo, ...paging, state, labels: optional(text) },
    schema: Issue,
    paginate: 'link',
  }),
  /** Creates an issue. */
  create: endpoint({
    method: 'POST',
    path: allIssues,
    input: { ...inRepo, title: filledText, labels: optional(texts) },
    schema: Issue,
  }),
  /** Returns an issue. */
  get: endpoint({ path: oneIssue, input: inIssue, schema: Issue }),
  /** Opens or closes an issue. */
  update: endpoint({
    method: 'PATCH',
    path: oneIssue,
    input: { ...inIssue, state },
    schema: Issue,
  }),
  /** Comments on an issue. */
  comment: endpoint({
    method: 'POST',
    path: `${oneIssue}/comments`,
    input: { ...inIssue, body: text },
  }),
  /** Locks an issue so that only collaborators can comment. Idempotent. */
  lock: endpoint({
    method: 'PUT',
    path: `${oneIssue}/lock`,
    input: inIssue,
    responseType: 'none',
    retry: 'idempotent',
  }),
};
const labels = {
  /** Returns whether a label exists. */
  exists: endpoint({ path: `${repository}/labels/{name}`, input: inLabel, responseType: 'exists' }),
  /** Creates a label. */
  create: endpoint({ method: 'POST', path: `${repository}/labels`, input: inLabel }),
};
const branches = {
  /** Lists branches by name. */
  list: endpoint({
    path: `${repository}/branches`,
    input: { ...inRepo, ...paging },
    schema: Branch,
    paginate: 'link',
  }),
  /** Returns a branch with its last commit. */
  get: endpoint({ path: `${repository}/branches{/name*}`, input: inLabel, schema: Tip }),
};

const [since = '2014-01-01'] = process.argv.slice(2);
await using client = HostingClient.fromEnv();
const hosting = client.extend({ issues, labels, branches });
const rocket = { owner: 'acme', repo: 'rocket' };

if (!(await hosting.labels.exists({ ...rocket, name: 'stale' }))) {
  await hosting.labels.create({ ...rocket, name: 'stale' });
}
const filed = await hosting.issues.list({ ...rocket, state: 'open', labels: 'stale' }).toArray();
const stale = new Set<string>();
for await (const { name } of hosting.branches.list(rocket)) {
  const { commit } = await hosting.branches.get({ ...rocket, name });
  if (commit.date < since) stale.add(`Stale branch: ${name}`);
}
for (const title of stale) {
  if (filed.some((each) => each.title === title)) continue;
  const { number } = await hosting.issues.create({ ...rocket, title, labels: ['stale'] });
  console.log(`#${number} ${title}`);
}
for (const { number, title } of filed.filter((each) => !stale.has(each.title))) {
  await hosting.issues.comment({ ...rocket, number, body: 'The branch was deleted or updated.' });
  await hosting.issues.update({ ...rocket, number, state: 'closed' });
  await hosting.issues.lock({ ...rocket, number });
  const { state, user } = await hosting.issues.get({ ...rocket, number });
  console.log(`#${number} ${title}: ${state} (by ${user.login})`);
}
