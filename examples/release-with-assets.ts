// Publish a release with assets
//
// Drafts a release, uploads files in parallel, and publishes the release once all files are uploaded, so an
// incomplete release is never visible. After a failure, run the program again. The program then finds the draft, and
// skips files that are already uploaded.
//
//     npx triforge-emulator -- npx tsx node_modules/triforge/examples/release-with-assets.ts v1.0.0 app.zip notes.txt
import { basename, extname } from 'node:path';
import { HostingClient } from 'triforge';

const [tag_name = 'v1.0.0', ...files] = process.argv.slice(2);
const place = { owner: 'acme', repo: 'rocket' };
const types: Record<string, string> = { '.zip': 'application/zip', '.txt': 'text/plain' };

await using hosting = HostingClient.fromEnv();

async function draft() {
  for await (const release of hosting.releases.list({ ...place, per_page: 100 })) {
    if (release.tag_name === tag_name) return release;
  }
  return await hosting.releases.create({ ...place, tag_name, draft: true });
}

const { id, upload_url } = await draft();
const assets = await hosting.releases.listAssets({ ...place, id }).toArray();
const upload = async (path: string) => {
  const name = basename(path);
  const there = assets.find((asset) => asset.name === name);
  if (there?.state === 'uploaded') return;
  // A failed upload can leave an incomplete asset with this name.
  if (there) await hosting.releases.deleteAsset({ ...place, id: there.id });
  const content_type = types[extname(name)] ?? 'application/octet-stream';
  const { size } = await hosting.releases.uploadAsset({
    upload_url,
    name,
    content_type,
    data: path,
  });
  console.log(`${name}: ${size} bytes`);
};
await Promise.all(files.map(upload));

const { published_at } = await hosting.releases.update({ ...place, id, draft: false });
console.log(`${tag_name} was published at ${published_at}`);
