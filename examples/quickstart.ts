// Core features in one program
//
// Iterates over lists, creates a release, and handles a typed error. In a clone of the repository, run this program
// with `npm run quickstart`.
//
//     npx triforge-emulator -- npx tsx node_modules/triforge/examples/quickstart.ts
import { HostingClient, isTriforgeError } from 'triforge';

const place = { owner: 'acme', repo: 'rocket' };

await using hosting = HostingClient.fromEnv();

console.log('# All pull requests, page by page');
let pulls = 0;
for await (const pull of hosting.pulls.list({ ...place, state: 'all', per_page: 80 })) {
  pulls += 1;
  if (pulls <= 3) console.log(`  #${pull.number} ${pull.title} (${pull.state})`);
}
console.log(`  … ${pulls} in total`);

console.log('\n# A loop that ends early fetches no further pages');
for await (const user of hosting.starring.listStargazers(place)) {
  console.log(`  first stargazer: ${user.login}`);
  break;
}

console.log('\n# A typed error');
try {
  await hosting.pulls.get({ ...place, number: 999_999_999 });
} catch (error) {
  if (!isTriforgeError(error) || error.code !== 'not_found') throw error;
  console.log(`  ${error.name}: ${error.message}`);
}

console.log('\n# A release with a file');
const release = await hosting.releases.create({ ...place, tag_name: 'v1.0.0', draft: true });
const asset = await hosting.releases.uploadAsset(
  {
    upload_url: release.upload_url,
    name: 'rocket.txt',
    content_type: 'text/plain',
    data: Buffer.from('Ready for launch.\n'),
  },
  { onProgress: ({ sent, total }) => console.log(`  sent ${sent} of ${total} bytes`) },
);
console.log(`  uploaded ${asset.name}, ${asset.size} bytes, ${asset.state}`);
const published = await hosting.releases.update({ ...place, id: release.id, draft: false });
console.log(`  ${published.tag_name} was published at ${published.published_at}`);

console.log('\n# The rate limit');
const { response } = await hosting.starring.isStarred(place).withResponse();
const { remaining, limit, reset } = response.rateLimit ?? {};
console.log(`  ${remaining} of ${limit} left until ${reset?.toISOString()}`);
