// Move stars to another account
//
// Stars what another account has starred, oldest first, to keep the order. With the old account's token in
// `OLD_TOKEN`, it then removes each star there. Starring twice is harmless, so run it again after a failure.
//
//     npx triforge-emulator -- npx tsx node_modules/triforge/examples/move-stars.ts ada-0
import { HostingClient } from 'triforge';

const { OLD_TOKEN } = process.env;
const [username = 'ada-0'] = process.argv.slice(2);

await using hosting = HostingClient.fromEnv({ rateLimit: { onLimit: 'wait' } });
// Another account over the same sockets.
const old = OLD_TOKEN ? hosting.withAuth({ type: 'token', token: OLD_TOKEN }) : undefined;

const direction = 'asc';
// Reads all stars before removing the first, because a list that shrinks while it is read has gaps.
const starred = await hosting.starring.listStarredBy({ username, direction }).toArray();
for (const { owner, name: repo } of starred) {
  const star = { owner: owner.login, repo };
  await hosting.starring.star(star);
  await old?.starring.unstar(star);
  console.log(`${owner.login}/${repo}`);
}
console.log(`${starred.length} stars ${old ? 'moved' : 'copied'}`);
