// Crawl a long list in parallel
//
// Fetches several pages in parallel and still returns the items in order, so a long list from a distant server
// takes a fraction of the time. Many servers limit parallel requests, so start with 4. If the quota is exhausted,
// the program waits. [Fetch pages in parallel](../docs/pagination.md#fetch-pages-in-parallel) explains
// which lists support `concurrency`, and when it helps.
//
//     npx triforge-emulator -- npx tsx node_modules/triforge/examples/parallel-crawl.ts 4
import { HostingClient } from 'triforge';

const [concurrency = '4'] = process.argv.slice(2);

await using hosting = HostingClient.fromEnv({ rateLimit: { onLimit: 'wait' } });

const pulls = hosting.pulls.list(
  { owner: 'acme', repo: 'rocket', state: 'all', per_page: 20 },
  { concurrency: Number(concurrency) },
);
const byState = new Map<string, number>();
for await (const { state } of pulls) byState.set(state, (byState.get(state) ?? 0) + 1);
for (const [state, count] of byState) console.log(`${state}: ${count}`);
