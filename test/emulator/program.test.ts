import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import { HostingClient } from '../../src/index.js';
import { seeded } from '../../src/testing/index.js';
import { version } from '../../src/version.js';

const program = fileURLToPath(new URL('../../src/testing/cli.ts', import.meta.url));

function start(...args: readonly string[]) {
  const child = spawn(process.execPath, ['--import', 'tsx', program, ...args], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  let said = '';
  const ended = new Promise<{ code: number | null; said: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, said }));
  });
  const ready = new Promise<string>((resolve, reject) => {
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding('utf8').on('data', (text: string) => {
        said += text;
        const url = /(http:\S+)\/_emulator/.exec(said)?.[1];
        if (url !== undefined) resolve(url);
      });
    }
    child.once('close', () => reject(new Error(`it ended, and said: ${said}`)));
  });
  ready.catch(() => undefined); // only some tests wait for it
  return { child, ended, ready };
}

const post = (url: string, body: unknown) =>
  fetch(url, { method: 'POST', body: JSON.stringify(body) });

test('serves clients, shows its state, and is steered over HTTP', async () => {
  const { child, ended, ready } = start('--port', '0');
  const url = await ready;
  await using hosting = new HostingClient({
    baseUrl: `${url}/api/v3/`,
    auth: { type: 'token', token: seeded.token },
    retry: false,
  });
  const fault = { kind: 'answer', status: 503, body: { message: 'resting' } };
  const match = { method: 'GET', path: '/pulls/' };
  expect((await post(`${url}/_emulator/faults`, { match, fault })).status).toBe(204);
  const inRocket = { owner: seeded.owner, repo: seeded.repo };
  await expect(hosting.pulls.get({ ...inRocket, number: 7 })).rejects.toThrow('resting');
  expect((await hosting.pulls.get({ ...inRocket, number: 7 })).number).toBe(7);

  const state = await (await fetch(`${url}/_emulator/state.json`)).json();
  expect(state).toMatchObject({
    now: '2014-06-01T12:00:00.000Z',
    families: { hosting: { 'pull requests': 250 } },
    received: 2,
    requests: [{ status: 200 }, { status: 503, method: 'GET' }],
    faults: [],
  });
  await post(`${url}/_emulator/clock`, { advance: 90 });
  await post(`${url}/_emulator/faults`, { fault: { kind: 'hang' }, times: 3 });
  const page = await (await fetch(`${url}/_emulator`)).text();
  expect(page).toContain('2014-06-01T12:01:30.000Z');
  expect(page).toMatch(/hang.*any method any path.*3/);
  expect(page, 'no credential').not.toContain(seeded.token);

  expect((await fetch(`${url}/_emulator/faults`, { method: 'DELETE' })).status).toBe(204);
  expect((await post(`${url}/_emulator/reset`, undefined)).status).toBe(204);
  expect(await (await fetch(`${url}/_emulator/state.json`)).json()).toMatchObject({
    now: '2014-06-01T12:00:00.000Z',
    received: 0,
    faults: [],
  });
  child.kill('SIGTERM');
  expect((await ended).code).toBe(0);
});

test.each([
  ['faults', { fault: { kind: 'rest' } }, 'fault.kind'],
  ['faults', { fault: { kind: 'answer', status: 42 } }, 'fault.status'],
  ['faults', { fault: { kind: 'hang' }, times: 0 }, 'times'],
  ['faults', { fault: { kind: 'hang' }, match: { paths: '/' } }, 'match'],
  ['clock', { advance: -1 }, 'advance'],
])('refuses %s %j, and names the field', async (place, body, field) => {
  const url = await start('--port', '0').ready;
  const answer = await post(`${url}/_emulator/${place}`, body);
  expect(answer.status).toBe(400);
  expect(await answer.json()).toMatchObject({ errors: [{ field }] });
});

test('what is no JSON, and what is not there, is told', async () => {
  const url = await start('--port', '0', '--empty', '--vendor', 'acme').ready;
  const broken = await fetch(`${url}/_emulator/clock`, { method: 'POST', body: '{' });
  expect([broken.status, await broken.json()]).toEqual([400, { message: 'expected a JSON body' }]);
  const missing = await fetch(`${url}/_emulator/nothing`);
  expect([missing.status, await missing.text()]).toEqual([404, expect.stringContaining('/faults')]);
  const state = await (await fetch(`${url}/_emulator/state.json`)).json();
  expect(state).toMatchObject({ families: { hosting: { accounts: 0 } } });
});

test.each([
  [['--port', 'x'], 1, '--port: expected a number from 0 to 65535, got x'],
  [['--vendor', 'a b'], 1, '--vendor: expected letters and digits'],
  [['--prot', '1'], 1, "Unknown option '--prot'"],
  [['--version'], 0, version],
  [['--help'], 0, '--empty'],
])('%j ends with %i', async (args, code, words) => {
  const result = await start(...args).ended;
  expect(result.code).toBe(code);
  expect(result.said).toContain(words);
});

test('a port in use is told in one line', async () => {
  const url = new URL(await start('--port', '0').ready);
  const { code, said } = await start('--port', url.port).ended;
  expect(code).toBe(1);
  expect(said.trimEnd()).toMatch(/^triforge-emulator: .*EADDRINUSE.*$/);
});
