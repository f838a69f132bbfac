// Rotate webhook secrets
//
// Sets a new secret for every webhook of some repositories, and pings each webhook. To make sure that the receiver
// rejects no delivery, first let it accept both secrets (`secret: [newSecret, oldSecret]`), and later only the new
// secret. See [Webhooks](../docs/webhooks.md#webhook-secrets).
//
//     TRIFORGE_BASE_URL=… TRIFORGE_TOKEN=… HOOK_SECRET=$(openssl rand -hex 32) \
//       npx tsx node_modules/triforge/examples/rotate-hook-secrets.ts acme/rocket acme/secret
import { HostingClient } from 'triforge';

const { HOOK_SECRET: secret = '' } = process.env;
if (secret.length < 20) throw new Error('HOOK_SECRET: must have at least 20 characters');

await using hosting = HostingClient.fromEnv();

let changed = 0;
for (const name of process.argv.slice(2)) {
  const [owner = '', repo = ''] = name.split('/');
  // Read all hooks first, because a list that changes while you read it may skip hooks.
  const hooks = await hosting.hooks.list({ owner, repo, per_page: 100 }).toArray();
  for (const { id, name: service, config } of hooks) {
    const { url, content_type, insecure_ssl } = config;
    if (service !== 'web' || !url) continue;
    // `config` replaces all settings, so send the unchanged settings too.
    const settings = {
      url,
      content_type: content_type === 'json' ? 'json' : 'form',
      insecure_ssl: String(insecure_ssl) === '1',
      secret,
    } as const;
    await hosting.hooks.update({ owner, repo, id, config: settings });
    await hosting.hooks.ping({ owner, repo, id });
    console.log(`${name}: hook ${id}, to ${url}`);
    changed += 1;
  }
}
console.log(`${changed} webhooks have the new secret`);
