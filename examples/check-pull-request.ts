// Check a pull request from a workflow
//
// Runs as a step of a workflow, as in GitHub Actions. Reads the event that started the workflow, checks whether the
// pull request changes the changelog, and sets an output with the result. If the changelog is unchanged, the program
// comments on the last commit and fails the step. On GitHub, use the server in `GITHUB_API_URL` and the token in
// `GITHUB_TOKEN`, and set `vendor: 'github'`.
//
//     echo '{"number": 7, "repository": {"full_name": "acme/rocket"}}' > event.json
//     GITHUB_EVENT_PATH=event.json npx triforge-emulator -- npx tsx node_modules/triforge/examples/check-pull-request.ts
import { appendFile, readFile } from 'node:fs/promises';
import { HostingClient } from 'triforge';
import * as z from 'zod';

const { GITHUB_EVENT_PATH = 'event.json', GITHUB_OUTPUT } = process.env;

const Event = z.object({ number: z.number(), repository: z.object({ full_name: z.string() }) });
const { number, repository } = Event.parse(JSON.parse(await readFile(GITHUB_EVENT_PATH, 'utf8')));
const [owner = '', repo = ''] = repository.full_name.split('/');

await using hosting = HostingClient.fromEnv();

async function changesChangelog(): Promise<boolean> {
  // Returning early ends the list, so the program doesn't read all 3000 files of a large pull request.
  for await (const file of hosting.pulls.listFiles({ owner, repo, number, per_page: 100 })) {
    if (file.filename === 'CHANGELOG.md') return true;
  }
  return false;
}

const changed = await changesChangelog();
if (GITHUB_OUTPUT) await appendFile(GITHUB_OUTPUT, `changelog=${changed}\n`);
if (!changed) {
  const commits = await hosting.pulls.listCommits({ owner, repo, number }).toArray();
  const sha = commits.at(-1)?.sha ?? '';
  const body = 'Please describe in `CHANGELOG.md` what users will notice.';
  await hosting.commitComments.create({ owner, repo, sha, body });
  process.exitCode = 1;
}
console.log(`#${number} ${changed ? 'changes' : 'does not change'} the changelog`);
