// Test your app with Jest
//
// The emulator runs in the test's process, so the test needs no port and no mocks. The emulator injects
// faults on demand. [Test your app](../docs/testing.md) describes the emulator's other features.
//
//     npm install --save-dev jest ts-jest typescript
//     cp node_modules/triforge/examples/test-with-jest.ts releases.test.ts
//     npx jest releases.test.ts --transform '{ "\\.ts$":
//       ["ts-jest", { "tsconfig": { "isolatedModules": true, "esModuleInterop": true } }] }'
//
// JavaScript needs no transform. Use `require` instead of `import` in `releases.test.js`.
import { afterEach, expect, test } from '@jest/globals';
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
  expect(await latestTag()).toBe('v9.0.0');
});

test('retries after a 502', async () => {
  emulator.fail({ path: '/releases/latest' }, { kind: 'response', status: 502 });
  expect(await latestTag()).toMatch(/^v0/);
  expect(emulator.requests.map(({ status }) => status)).toEqual([502, 200]);
});
