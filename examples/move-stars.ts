// Move stars to another account
//
// Stars the repositories that another account has starred, oldest first, to keep the order. If `OLD_TOKEN` is the
// old account's token, the program also removes the old stars. Starring twice is harmless, so you can run the
// program again after a failure.
//
//     npx triforge-emulator -- npx tsx node_modules/triforge/examples/move-stars.ts ada-0
import { HostingClient } from 'triforge';

const { OLD_TOKEN } = process.env;
const [username = 'ada-0'] = process.argv.slice(2);

await using hosting = HostingClient.fromEnv({ rateLimit: { onLimit: 'wait' } });
// A client for the old account. It shares the sockets of `hosting`.
const old = OLD_TOKEN ? hosting.withAuth({ type: 'token', token: OLD_TOKEN }) : undefined;

const direction = 'asc';
// Read all stars first. If you removed stars while you read the list, the list would skip some of them.
const starred = await hosting.starring.listStarredBy({ username, direction }).toArray();
for (const { owner, name: repo } of starred) {
  const star = { owner: owner.login, repo };
  await hosting.starring.star(star);
  await old?.starring.unstar(star);
  console.log(`${owner.login}/${repo}`);
}
console.log(`${starred.length} stars ${old ? 'moved' : 'copied'}`);
