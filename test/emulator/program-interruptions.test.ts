import { spawn } from 'node:child_process';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { consoleSeed } from '../../src/testing/index.js';
import { createTemporaryFolder } from '../support/temporary-folder.js';
import { follow, program, start } from './program-process.js';

let folder: string;
let state: string;
beforeEach(async () => {
  folder = await createTemporaryFolder();
  state = join(folder, 'state.json');
});

const startEmulator = () => start('--port', '0', '--state', state, '--quiet');

/** Changes the emulator's state by creating an application. */
async function change(url: string, name: string): Promise<void> {
  const body = JSON.stringify({ name });
  const { status } = await fetch(`${url}/_emulator/applications`, { method: 'POST', body });
  expect(status).toBe(201);
}

/** Returns the application names in the state file. */
async function kept(): Promise<string[]> {
  const { hosting } = JSON.parse(await readFile(state, 'utf8'));
  return hosting.applications.map(({ name }: { name: string }) => name);
}

describe('triforge-emulator --state', () => {
  it('triforge-emulator saves its state even if signals arrive repeatedly', async () => {
    const { child, ended, ready } = startEmulator();
    await change(await ready, 'last');
    // Send the signals repeatedly, because the kernel merges pending signals of the same type.
    for (let count = 0; child.exitCode === null && child.signalCode === null; count++) {
      child.kill(count === 1 ? 'SIGTERM' : 'SIGINT');
      await wait(1);
    }
    expect((await ended).code).toBe(0);
    expect(await kept()).toContain('last');
    expect(await readdir(folder)).toEqual(['state.json']);
  });

  it.each(['SIGHUP', 'SIGTERM'] as const)(
    'triforge-emulator saves its state on %s during an upload',
    async (signal) => {
      const { child, ended, ready } = startEmulator();
      const address = await ready;
      const upload = request(`${address}/api/v2/contact`, { method: 'POST' });
      upload.on('error', () => undefined).write('name=');
      await change(address, 'last');
      child.kill(signal);
      expect((await ended).code).toBe(0);
      expect(await kept()).toContain('last');
      expect(await readdir(folder)).toEqual(['state.json']);
    },
  );

  it('triforge-emulator saves changes caused by a GET before it is killed', async () => {
    const { child, ended, ready } = startEmulator();
    const address = await ready;
    const { licenseMd5 } = consoleSeed;
    const sendRequest = async (method: string, path: string) => {
      const query = `license_md5=${licenseMd5}`;
      return (await fetch(`${address}/setup/api/${path}?${query}`, { method })).status;
    };
    const runs = async () => {
      const { settings } =
        JSON.parse(await readFile(state, 'utf8').catch(() => '{}')).console ?? {};
      return settings?.enterprise.configuration_run_count;
    };
    expect(await sendRequest('POST', 'configure')).toBe(202);
    await expect.poll(runs, { timeout: 20_000 }).toBe(1);
    for (let step = 0; step < 4; step++) expect(await sendRequest('GET', 'configcheck')).toBe(200);
    await expect.poll(runs, { timeout: 20_000 }).toBe(2);
    child.kill('SIGKILL');
    await ended;
    expect(await runs()).toBe(2);
  });

  it.each(['0', '8'])(
    "triforge-emulator doesn't change its state file if writing fails after %s blocks",
    async (blocks) => {
      const before = `${JSON.stringify({ hosting: {} })}\n`;
      await writeFile(state, before);
      const args = [process.execPath, program, '--port', '0', '--state', state, '--quiet'];
      const script = 'ulimit -f "$1"; shift; exec "$@"';
      const { child, ended, ready } = follow(spawn('sh', ['-c', script, '-', blocks, ...args]));
      await change(await ready, 'x'.repeat(20_000));
      child.kill('SIGTERM');
      expect(await ended).toMatchObject({ code: 1, output: expect.stringContaining('EFBIG') });
      expect(await readFile(state, 'utf8')).toBe(before);
      expect(await readdir(folder)).toEqual(['state.json']);
    },
  );

  it('triforge-emulator keeps running and saves its state if the reader of its output exits', async () => {
    const { child, ended, ready } = start('--port', '0', '--state', state);
    const address = await ready;
    child.stdout?.destroy();
    await change(address, 'first');
    for (let count = 0; count < 20; count++) await change(address, `later ${count}`);
    expect((await fetch(`${address}/api/v3/user`)).status).toBe(401);
    child.kill('SIGTERM');
    expect((await ended).code).toBe(0);
    expect(await kept()).toContain('later 19');
  });

  it.each([
    ["a state file that isn't a world", async () => await writeFile(state, '')],
    ['a folder instead of a state file', async () => await mkdir(state)],
  ])('triforge-emulator exits at startup if there is %s', async (_what, prepare) => {
    await prepare();
    const before = await readdir(folder);
    const outcome = await startEmulator().ended;
    expect(outcome).toEqual({ code: 1, output: expect.stringContaining('state.json') });
    expect(await readdir(folder)).toEqual(before);
  });
});

it.each(['SIGTERM', 'SIGKILL'] as const)(
  'triforge-emulator saves its state and exits if npx is ended by %s',
  async (signal) => {
    const line = [process.execPath, program, '--port', '0', '--state', state].join(' ');
    // A separate process group, which the test ends even if the emulator outlives npx.
    const npx = spawn('npm', ['exec', '-c', line], { detached: true });
    onTestFinished(() => {
      try {
        process.kill(-(npx.pid ?? Number.NaN), 'SIGKILL');
      } catch {
        // All processes of the group have ended.
      }
    });
    const url = await follow(npx).ready;
    await change(url, 'kept');
    npx.kill(signal);
    const isServing = () =>
      fetch(`${url}/_emulator`).then(
        () => true,
        () => false,
      );
    await expect.poll(isServing, { timeout: 20_000 }).toBe(false);
    await expect.poll(() => kept().catch(String)).toContain('kept');
  },
);
