// Stay within a server's limits
//
// Stars all of an account's repositories. Many servers reject bursts of requests, and writes in quick succession. The
// client then pauses, sends the rejected requests again at a lower rate, and keeps an interval between writes.
// [Secondary limits](../docs/limits-and-retries.md#secondary-limits) explains the rules.
//
//     npx triforge-emulator -- npx tsx node_modules/triforge/examples/stay-within-limits.ts acme
import { HostingClient } from 'triforge';
import { Repository } from 'triforge/hosting';

const [username = 'acme'] = process.argv.slice(2);

await using hosting = HostingClient.fromEnv({
  rateLimit: { onLimit: 'wait', writeInterval: 100 },
  maxConcurrency: 8,
});

const repos = await hosting
  .paginate('GET /users/{username}/repos', { username }, { schema: Repository })
  .toArray();
const stars = repos.map(({ name: repo }) => hosting.starring.star({ owner: username, repo }));
await Promise.all(stars);
console.log(`${stars.length} repositories starred`);
