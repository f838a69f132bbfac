import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { beforeEach, describe, expect, inject, it, onTestFinished } from 'vitest';
import { consoleSeed } from '../../src/testing/index.js';

const program = join(inject('programs'), 'src/testing/cli.js');

let folder: string;
let state: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'triforge-interruptions-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  state = join(folder, 'state.json');
});

/** Starts `triforge-emulator`. */
function start(args: readonly string[], env: NodeJS.ProcessEnv = process.env) {
  const child = spawn(process.execPath, [program, ...args], { env });
  onTestFinished(() => void child.kill('SIGKILL'));
  return follow(child);
}

/** Collects the output of a process that runs `triforge-emulator`. */
function follow(child: ChildProcessWithoutNullStreams) {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
    });
  }
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  const url = async (timeout = 20_000) => {
    await expect.poll(() => output, { timeout }).toContain('/_emulator');
    return /(https?:\S+)\/_emulator/.exec(output)?.[1];
  };
  return { child, ended, url, output: () => output };
}

const emulator = () => start(['--port', '0', '--state', state, '--quiet']);

/** Changes the emulator's state by creating an application. */
async function change(url: string | undefined, name: string): Promise<void> {
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
    const { child, ended, url } = emulator();
    await change(await url(), 'last');
    // Send the signals repeatedly, because the kernel merges pending signals of the same type.
    for (let count = 0; child.exitCode === null && child.signalCode === null; count++) {
      child.kill(count === 1 ? 'SIGTERM' : 'SIGINT');
      await wait(1);
    }
    expect(await ended).toBe(0);
    expect(await kept()).toContain('last');
    expect(await readdir(folder)).toEqual(['state.json']);
  });

  it.each(['SIGHUP', 'SIGINT', 'SIGTERM'] as const)(
    'triforge-emulator saves its state on %s during an upload',
    async (signal) => {
      const { child, ended, url } = emulator();
      const address = await url();
      const upload = request(`${address}/api/v2/contact`, { method: 'POST' });
      upload.on('error', () => undefined).write('name=');
      await change(address, 'last');
      child.kill(signal);
      expect(await ended).toBe(0);
      expect(await kept()).toContain('last');
      expect(await readdir(folder)).toEqual(['state.json']);
    },
  );

  it('triforge-emulator saves changes caused by a GET before it is killed', async () => {
    const { child, ended, url } = emulator();
    const address = await url();
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
      const args = ['--port', '0', '--state', state, '--quiet'];
      const script = 'ulimit -f "$1"; shift; exec "$@"';
      const child = spawn('sh', ['-c', script, '-', blocks, process.execPath, program, ...args]);
      onTestFinished(() => void child.kill('SIGKILL'));
      let output = '';
      for (const stream of [child.stdout, child.stderr]) {
        stream.on('data', (text) => {
          output += text;
        });
      }
      const ended = once(child, 'close');
      await expect.poll(() => output, { timeout: 20_000 }).toContain('/_emulator');
      const url = /(https?:\S+)\/_emulator/.exec(output)?.[1];
      await change(url, 'x'.repeat(20_000));
      child.kill('SIGTERM');
      expect((await ended)[0]).toBe(1);
      expect(output).toContain('EFBIG');
      expect(await readFile(state, 'utf8')).toBe(before);
      expect(await readdir(folder)).toEqual(['state.json']);
    },
  );

  it('triforge-emulator keeps running and saves its state if the reader of its output exits', async () => {
    const { child, ended, url } = start(['--port', '0', '--state', state]);
    const address = await url();
    child.stdout.destroy();
    await change(address, 'first');
    for (let count = 0; count < 20; count++) await change(address, `later ${count}`);
    expect((await fetch(`${address}/api/v3/user`)).status).toBe(401);
    child.kill('SIGTERM');
    expect(await ended).toBe(0);
    expect(await kept()).toContain('later 19');
  });

  it.each([
    ["a state file that isn't a world", async () => await writeFile(state, '')],
    ['a folder instead of a state file', async () => await mkdir(state)],
  ])('triforge-emulator exits at startup if there is %s', async (_what, prepare) => {
    await prepare();
    const before = await readdir(folder);
    const { ended, output: readOutput } = emulator();
    expect(await Promise.race([ended, wait(15_000, 'it hangs')])).toBe(1);
    expect(readOutput()).toContain('state.json');
    expect(await readdir(folder)).toEqual(before);
  });
});

describe('triforge-emulator with a command', () => {
  it('triforge-emulator forwards signals to its command even if PATH contains no programs', async () => {
    const code = `
      setTimeout(() => process.exit(99), 60_000);
      process.once('SIGINT', () => process.exit(5));
      console.log('up');`;
    const env = { ...process.env, PATH: folder };
    const { child, ended, output: readOutput } = start(['--', process.execPath, '-e', code], env);
    await expect.poll(readOutput, { timeout: 20_000 }).toContain('up');
    child.kill('SIGINT');
    expect([await ended, readOutput()]).toEqual([5, 'up\n']);
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
    const url = await follow(npx).url(60_000);
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
