// A receiver of webhooks: it verifies, handles each delivery once, and survives failing handlers. Runs by
// itself against the bundled emulator, which sends real deliveries: `npx tsx examples/webhook-receiver.ts`.
// With HOOK_SECRET and PORT set it listens for a real server's; HOOK_VENDOR is the word in X-<Vendor>-Event.
import { once } from 'node:events';
import { createServer } from 'node:http';
import { HostingClient } from 'triforge';
import { createEmulator, seeded } from 'triforge/testing';
import { createNodeListener, signDelivery } from 'triforge/webhooks';

const { HOOK_SECRET, HOOK_VENDOR, PORT } = process.env;
// While a secret is rotated, give both: `[newSecret, oldSecret]`.
const secret = HOOK_SECRET ?? 'a secret of at least 20 characters';
let failNext = false;

const listener = createNodeListener({
  secret,
  vendor: HOOK_VENDOR,
  handlers: {
    ping: ({ payload }) => console.log(`  ping of hook ${payload.hook_id}: ${payload.zen}`),
    push: ({ payload }) => {
      if (failNext) {
        failNext = false;
        throw new Error('the disk is full');
      }
      console.log(`  ${payload.sender?.login} pushed to ${payload.ref}`);
    },
    other: ({ name }) => console.log(`  ${name}: an event of a newer server`),
  },
  onDelivery: ({ event, payload }) => console.log(`  ${event} ${payload.action ?? ''}`),
  onError: (error, { status }) => console.log(`  answered ${status}: ${String(error)}`),
});

const server = createServer(listener);
server.listen(Number(PORT ?? 0), HOOK_SECRET === undefined ? '127.0.0.1' : undefined);
await once(server, 'listening');
const address = server.address();
const port = typeof address === 'object' ? address?.port : undefined;
console.log(`Waiting for deliveries on port ${port}`);

if (HOOK_SECRET === undefined) {
  const url = `http://127.0.0.1:${port}/`;
  await using emulator = createEmulator();
  const { hostingUrl } = await emulator.listen();
  const { owner, repo, token } = seeded;
  await using hosting = new HostingClient({ baseUrl: hostingUrl, auth: { type: 'token', token } });

  console.log('\n# A new hook is pinged; a test sends a push');
  const config = { url, content_type: 'json', secret } as const;
  const { id } = await hosting.hooks.create({ owner, repo, name: 'web', events: ['push'], config });
  await hosting.hooks.test({ owner, repo, id });
  await emulator.hosting.deliveriesSettled();

  const post = async (delivery: { headers: Readonly<Record<string, string>>; body: string }) => {
    const { status } = await fetch(url, { method: 'POST', ...delivery });
    console.log(`  -> ${status}`);
  };
  const payload = { ref: 'refs/heads/main', sender: { login: 'mona' } };
  const push = signDelivery({ event: 'push', payload, secret });

  console.log('\n# A handler that fails: 500, and the delivery may come again, and is then done');
  failNext = true;
  await post(push);
  await post(push);
  await post(push);

  console.log('\n# A forger');
  await post(signDelivery({ event: 'push', payload, secret: 'guessed' }));

  console.log('\n# An event of tomorrow');
  await post(signDelivery({ event: 'discussion', payload: {}, secret }));
  server.close();
  server.closeAllConnections();
}
