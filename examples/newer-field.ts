// Use a field that only a newer server supports
//
// Uses `extra` to send an input that triforge doesn't support yet, and `.as(schema)` to validate and type the result.
// Credentials, retries and errors work as for other calls.
//
//     npx triforge-emulator -- npx tsx node_modules/triforge/examples/newer-field.ts
import { HostingClient } from 'triforge';
import * as z from 'zod';

await using hosting = HostingClient.fromEnv();

const Release = z.looseObject({
  id: z.number(),
  tag_name: z.string(),
  discussion_url: z.url().optional(), // undefined on servers that don't support it
});
const release = await hosting.releases
  .create(
    { owner: 'acme', repo: 'rocket', tag_name: 'v3.0.0', draft: true },
    { extra: { body: { discussion_category_name: 'Announcements' } } },
  )
  .as(Release);
console.log(`${release.tag_name}: ${release.discussion_url ?? 'without a discussion'}`);
