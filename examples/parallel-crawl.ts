// Crawl a long list in parallel
//
// Asks for several pages at once and gives them in their order, so that a crawl takes a few round trips in
// place of hundreds. Servers count what runs in parallel: begin with 4, and wait where a limit is reached.
// [Pagination](../docs/pagination.md#many-pages-at-once) tells which lists it helps, and what it costs.
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
