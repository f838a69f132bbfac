// Test your app with node:test
//
// The emulator runs in the test's process, so the test needs no port and no mocks. The emulator injects
// faults on demand. [Test your app](../docs/testing.md) describes the emulator's other features.
//
//     npx tsx --test node_modules/triforge/examples/test-with-node.ts
import { strict as assert } from 'node:assert';
import { afterEach, test } from 'node:test';
import { HostingClient, isTriforgeError } from 'triforge';
import { createEmulator, seeded } from 'triforge/testing';

const emulator = createEmulator();
const hosting = new HostingClient({
  baseUrl: 'https://code.test/api/v3/',
  auth: { type: 'token', token: seeded.token },
  dispatcher: emulator.dispatcher(),
});
afterEach(() => emulator.reset());

/** A function of your app. Returns the tag of the latest release. */
async function latestTag() {
  const { owner, repo } = seeded;
  try {
    return (await hosting.releases.getLatest({ owner, repo })).tag_name;
  } catch (error) {
    if (isTriforgeError(error) && error.code === 'not_found') return 'none';
    throw error;
  }
}

test('returns the tag of the latest release', async () => {
  emulator.hosting.addRelease('acme/rocket', 'v9.0.0');
  assert.equal(await latestTag(), 'v9.0.0');
});

test('retries after a 502', async () => {
  emulator.fail({ path: '/releases/latest' }, { kind: 'response', status: 502 });
  assert.match(await latestTag(), /^v0/);
  assert.deepEqual(
    emulator.requests.map(({ status }) => status),
    [502, 200],
  );
});
