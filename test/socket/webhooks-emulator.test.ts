import { createServer } from 'node:http';
import { Webhooks } from '@octokit/webhooks';
import { expect, onTestFinished, test } from 'vitest';
import { createEmulator, seeded } from '../../src/testing/index.js';
import { createNodeListener, type Delivery, type ErrorContext } from '../../src/webhooks/index.js';
import { listening } from '../support/server.js';

const secret = 'shared secret';

/** Starts a receiver and creates an emulator hook that delivers to the receiver. */
async function world(contentType: 'json' | 'form', vendor: string) {
  const received: Delivery[] = [];
  const refused: [unknown, ErrorContext][] = [];
  const server = createServer(
    createNodeListener({
      secret,
      vendor,
      onDelivery: (delivery) => received.push(delivery),
      onError: (error, context) => refused.push([error, context]),
    }),
  );
  const { origin } = await listening(server);
  const url = `${origin}/hook`;
  const emulator = createEmulator({ vendor });
  const { hostingUrl } = await emulator.listen();
  onTestFinished(() => emulator.close());
  const hooks = `${hostingUrl}repos/${seeded.owner}/${seeded.repo}/hooks`;
  const post = async (path: string, body: object = {}) =>
    await fetch(`${hooks}${path}`, {
      method: 'POST',
      headers: { authorization: `token ${seeded.token}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const config = { url, content_type: contentType, secret };
  const created = await post('', { name: 'web', events: ['push'], config });
  const id: unknown = Reflect.get(Object(await created.json()), 'id');
  await post(`/${id}/tests`);
  await post(`/${id}/pings`);
  await emulator.hosting.deliveriesSettled();
  return { emulator, received, refused, id };
}

test.each([
  ['json', 'service'],
  ['form', 'service'],
  ['json', 'github'],
] as const)(
  "createNodeListener accepts the emulator's %s deliveries with the vendor '%s'",
  async (contentType, vendor) => {
    const { emulator, received, refused, id } = await world(contentType, vendor);
    expect(refused).toEqual([]);
    const { deliveries } = emulator.hosting;
    expect(deliveries.map(({ event }) => event)).toEqual(['ping', 'push', 'ping']);
    expect(deliveries.map(({ status }) => status)).toEqual([202, 202, 202]);
    // Each delivery uses a separate connection, so deliveries may overtake each other.
    const arrived = new Map(received.map((each) => [each.id, each.event]));
    expect(arrived).toEqual(new Map(deliveries.map((each) => [each.id, each.event])));
    const ping = received.find((each) => each.event === 'ping');
    expect(ping?.payload).toMatchObject({ zen: expect.any(String), hook_id: id });
    const push = received.find((each) => each.event === 'push');
    expect(push?.payload).toMatchObject({
      ref: expect.stringMatching(/^refs\//),
      repository: { name: seeded.repo },
      sender: { login: seeded.login },
    });
  },
);

test("a third-party verifier accepts the emulator's deliveries", async () => {
  const { emulator } = await world('json', 'service');
  const octokit = new Webhooks({ secret });
  for (const { body, headers } of emulator.hosting.deliveries) {
    const signature = headers['X-Hub-Signature-256'] ?? '';
    await expect(octokit.verify(body, signature)).resolves.toBe(true);
  }
  expect(emulator.hosting.deliveries).toHaveLength(3);
});
