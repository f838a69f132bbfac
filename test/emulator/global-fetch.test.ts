import AgentClass from 'undici/lib/dispatcher/agent.js';
import { expect, test } from 'vitest';
import { createEmulator, seeded } from '../../src/testing/index.js';

// Runs in a separate process without undici's index, because importing the index would replace the
// agent of the global `fetch`.

const agent = () => Reflect.get(globalThis, Symbol.for('undici.globalDispatcher.1'));

test("the emulator doesn't change the dispatcher that fetch uses", async () => {
  const before = agent();
  await using emulator = createEmulator();
  emulator.dispatcher();
  const { hostingUrl } = await emulator.listen();
  expect(agent()).toBe(before);
  const headers = { authorization: `token ${seeded.token}` };
  const response = await fetch(`${hostingUrl}user`, { headers });
  expect(await response.json()).toMatchObject({ login: seeded.login });
  // `fetch` created Node.js's built-in agent, whose class depends on the Node.js version.
  expect(agent()).toBeInstanceOf(Object);
  expect(agent()).not.toBeInstanceOf(AgentClass);
});
