import { Agent, request } from 'undici';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createRecorder, replay } from '../../src/testing/index.js';
import { serve } from '../support/server.js';
import { createFolder, sendRequest, text } from './handwritten-recording.js';
import { recordingFolder } from './recording-folder.js';

test('replay() throws a TypeError for an unknown mode', async () => {
  const folder = await createFolder([]);
  const mode = 'loose' as 'lenient'; // `as`: JavaScript callers can pass anything.
  expect(() => replay(folder, { mode })).toThrow(TypeError);
  expect(replay(folder, { mode: undefined }).unused).toEqual([]);
  expect(replay(folder, { mode: 'strict', secrets: ['a long word'] }).missed).toEqual([]);
});

test('replay() masks `secrets` before comparing requests', async () => {
  const from = replay(await createFolder([{ url: '/***', ...text('x') }]), {
    secrets: ['my own word'],
  });
  expect((await sendRequest(from, '/my%20own%20word')).text).toBe('x');
});

describe('close() and destroy()', () => {
  test.each(['close', 'destroy'] as const)(
    '%s() makes a replay reject later requests',
    async (end) => {
      const from = replay(await createFolder([{}]));
      await from[end]();
      await expect(sendRequest(from, '/')).rejects.toMatchObject({ code: 'UND_ERR_DESTROYED' });
      const other = replay(await createFolder([{}]));
      await new Promise<void>((done) =>
        end === 'close' ? other.close(done) : other.destroy(null, done),
      );
      await expect(sendRequest(other, '/')).rejects.toMatchObject({ code: 'UND_ERR_DESTROYED' });
      const third = replay(await createFolder([{}]));
      await new Promise<void>((done) => third.destroy(done));
      await expect(sendRequest(third, '/')).rejects.toMatchObject({ code: 'UND_ERR_DESTROYED' });
    },
  );

  test('a recorder closes only an Agent that it created', async () => {
    const server = await serve((seen, response) => seen.url === '/' && response.end('x'));
    const own = createRecorder({ to: await recordingFolder() });
    await (await request(server.origin, { dispatcher: own })).body.dump();
    await own.close();
    await expect(request(server.origin, { dispatcher: own })).rejects.toThrow();
    const destroyed = createRecorder({ to: await recordingFolder() });
    const waiting = request(`${server.origin}/wait`, { dispatcher: destroyed });
    const outcome = expect(waiting).rejects.toThrow('enough of it');
    await expect.poll(() => server.log).toContain('GET /wait');
    await new Promise<void>((done) => destroyed.destroy(new Error('enough of it'), done));
    await outcome;
    const agent = new Agent();
    onTestFinished(() => agent.close());
    const passed = createRecorder({ to: await recordingFolder(), dispatcher: agent });
    await passed.close();
    await passed.destroy();
    expect((await request(server.origin, { dispatcher: passed })).statusCode).toBe(200);
  });
});
