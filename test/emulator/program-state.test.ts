import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { seeded } from '../../src/testing/index.js';
import { start } from './program-process.js';

test('triforge-emulator restarts with the world in the --state file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'triforge-program-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const [seed, state] = [join(folder, 'world.yaml'), join(folder, 'state.json')];
  await writeFile(
    seed,
    'hosting: { accounts: [{ login: ada, password: pw }], repositories: [{ owner: ada, name: notes }] }',
  );
  const run = async (work: (url: string) => Promise<void>, world: string) => {
    const { child, ended, ready } = start('--port', '0', '--seed', seed, '--state', state);
    await work(await ready);
    child.kill('SIGTERM');
    const { code, output } = await ended;
    expect(code, output).toBe(0);
    expect(output).toMatch(/^world/m);
    expect(output).toContain(world);
  };
  const starred = (url: string, method: string) =>
    fetch(`${url}/api/v3/user/starred/ada/notes`, {
      method,
      headers: { authorization: `Basic ${btoa('ada:pw')}` },
    });
  await run(async (url) => {
    expect((await starred(url, 'GET')).status).toBe(404);
    expect((await starred(url, 'PUT')).status).toBe(204);
    await expect.poll(async () => (await readFile(state, 'utf8')).includes('"ada":')).toBe(true);
  }, seed);
  await run(async (url) => {
    expect((await starred(url, 'GET')).status, 'after a restart').toBe(204);
    const world = await (await fetch(`${url}/_emulator/world.json`)).text();
    expect(await (await fetch(`${url}/_emulator/world.yaml`)).text()).toContain('login: ada');
    await starred(url, 'DELETE');
    const put = (body: string) => fetch(`${url}/_emulator/world.json`, { method: 'PUT', body });
    expect((await put(world)).status).toBe(204);
    expect((await starred(url, 'GET')).status, 'after the world is put back').toBe(204);
    const refused = await put('{"hosting":{"accounts":[{}]}}');
    expect([refused.status, await refused.text()]).toEqual([
      400,
      expect.stringContaining('world: hosting.accounts[0].login: '),
    ]);
    expect((await starred(url, 'GET')).status, 'after the rejected world').toBe(204);
  }, state);
});

test("triforge-emulator doesn't create the state file until the first write", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'triforge-program-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { ready, readOutput } = start('--port', '0', '--state', join(folder, 'state.json'));
  const url = await ready;
  expect(readOutput(), 'no world is printed before the state file exists').not.toMatch(/^world/m);
  const headers = { authorization: `token ${seeded.token}` };
  const starred = `${url}/api/v3/user/starred/acme/rocket`;
  await fetch(starred, { headers });
  await fetch(starred, { method: 'HEAD', headers });
  await new Promise((resolve) => setTimeout(resolve, 700));
  expect(await readdir(folder)).toEqual([]);
  await fetch(starred, { method: 'PUT', headers });
  await expect.poll(() => readdir(folder), { timeout: 5000 }).toEqual(['state.json']);
});

test("triforge-emulator exits with 1 and an error if it can't save its state", async () => {
  const folder = await mkdtemp(join(tmpdir(), 'triforge-program-'));
  const { child, ended, ready } = start('--port', '0', '--state', join(folder, 'state.json'));
  await ready;
  await rm(folder, { recursive: true });
  child.kill('SIGTERM');
  expect(await ended).toEqual({
    code: 1,
    output: expect.stringMatching(/^triforge-emulator: .*ENOENT/m),
  });
});

test('triforge-emulator exits with 1 and names an invalid field in --seed', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'triforge-program-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const seed = join(folder, 'world.json');
  await writeFile(seed, '{"hosting":{"accounts":[{"login":3}]}}');
  const { code, output } = await start('--seed', seed).ended;
  expect([code, output]).toEqual([
    1,
    expect.stringContaining(`${seed}: hosting.accounts[0].login: `),
  ]);
});
