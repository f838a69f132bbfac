import { beforeEach, describe, expect, test } from 'vitest';
import type { Emulator } from '../../src/testing/index.js';
import { callConsole, createConsole, createFields } from './console-emulator.js';

let emulator: Emulator;
const { sendRequest } = callConsole(() => emulator);

beforeEach(() => {
  emulator = createConsole();
});

describe('console maintenance', () => {
  const set = (maintenance: unknown) =>
    sendRequest('POST /maintenance', {
      body: createFields({ maintenance: JSON.stringify(maintenance) }),
    });
  const numbers = async () =>
    ((await sendRequest('GET /maintenance')).data.connection_services as { number: number }[]) // `as`: only `number` is read.
      .map(({ number }) => number);

  test('in maintenance mode, each status request closes one connection per service', async () => {
    emulator.console.setConnections('git operations', 2);
    emulator.console.setConnections('other', 1);
    const { data } = await sendRequest('GET /maintenance');
    expect(data.connection_services).toEqual([
      { name: 'git operations', number: 2 },
      { name: 'mysql queries', number: 0 },
      { name: 'resque jobs', number: 0 },
      { name: 'other', number: 1 },
    ]);
    expect(await numbers()).toEqual([2, 0, 0, 1]);
    await set({ enabled: true, when: '2014-06-02T12:00:00Z' });
    expect(await numbers(), 'maintenance is only scheduled').toEqual([2, 0, 0, 1]);
    const on = await set({ enabled: true, when: 'now' });
    expect([on.status, on.data.status]).toEqual([200, 'on']);
    expect(await numbers()).toEqual([1, 0, 0, 0]);
    expect(await numbers()).toEqual([0, 0, 0, 0]);
    await set({ enabled: false });
    expect(emulator.console.maintenance).toBe('off');
  });

  test.each([
    {},
    { enabled: 'yes', when: 'now' },
    { enabled: true },
    { enabled: true, when: '' },
    { enabled: true, when: 7 },
  ])('POST /maintenance rejects the invalid input %j', async (maintenance) => {
    const before = await sendRequest('GET /maintenance');
    const response = await set(maintenance);
    expect([response.status, response.data]).toEqual([
      400,
      { message: expect.stringMatching(/./) },
    ]);
    expect((await sendRequest('GET /maintenance')).data).toEqual(before.data);
  });
});
