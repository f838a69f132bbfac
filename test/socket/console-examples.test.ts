import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { displayOn } from '../../examples/appliance-display.js';
import { consoleServer, type Reply } from './console-server.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'triforge-examples-'));
  await writeFile(join(folder, 'license.ghl'), 'license');
  await writeFile(join(folder, 'release.pkg'), Buffer.alloc(3_000_000));
});
afterAll(() => rm(folder, { recursive: true }));

/** Runs an example against a server, in a process of its own, with its output in a pipe. */
async function run(example: string, url: string) {
  const env = {
    ...process.env,
    TRIFORGE_CONSOLE_URL: url,
    TRIFORGE_LICENSE: join(folder, 'license.ghl'),
    TRIFORGE_PACKAGE: join(folder, 'release.pkg'),
    TRIFORGE_INTERVAL: '10',
  };
  const child = spawn(process.execPath, ['--import', 'tsx', `examples/${example}.ts`], {
    cwd: root,
    env,
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += String(chunk);
  });
  child.stderr.on('data', (chunk: Buffer) => {
    output += String(chunk);
  });
  const code = await new Promise<number | null>((resolve) => child.once('close', resolve));
  const lines = output.split('\n').map((line) => line.replace(/^\d\d:\d\d:\d\d /, ''));
  return { code, output, lines };
}

const steps = ['Preparing storage device', 'Updating configuration', 'Reloading services'];
const status = (word: string, marks: string): Reply => ({
  status: 200,
  body: {
    status: word,
    progress: steps.map((key, index) => ({
      key,
      status: { P: 'PENDING', C: 'CONFIGURING', D: 'DONE', F: 'FAILED' }[marks[index] ?? 'P'],
    })),
  },
});

/** An appliance whose `configcheck` answers in turn, and that counts its runs late. */
const appliance = (checks: readonly Reply[], version: () => string) => {
  let asked = 0;
  return consoleServer(({ method, url }) => {
    if (method === 'POST') return { status: 202 };
    if (url === '/setup/api/configcheck') {
      return checks[Math.min(asked++, checks.length - 1)] ?? 'reset';
    }
    const enterprise = { package_version: version(), configuration_run_count: 3 };
    return { status: 200, body: { enterprise } };
  });
};

describe('upgrade-appliance', () => {
  it('ends well over a stale success, two restarts and a slow step, its steps in order', async () => {
    const checks: Reply[] = [
      status('success', 'DDD'),
      status('success', 'DDD'),
      status('running', 'CPP'),
      'reset',
      { status: 503, body: '<html>starting</html>' },
      status('running', 'DCP'),
      ...Array.from({ length: 20 }, () => status('running', 'DCP')),
      { status: 502 },
      status('running', 'DDC'),
      status('success', 'DDD'),
    ];
    let reads = 0;
    await using server = await appliance(checks, () => (++reads > 1 ? '2.0.0' : '1.0.0'));
    const { code, lines, output } = await run('upgrade-appliance', server.url);
    expect(code, output).toBe(0);
    expect(lines.filter((line) => /^(?:DONE|CONFIGURING|configuration)/.test(line))).toEqual([
      'CONFIGURING: Preparing storage device',
      'configuration: running',
      'DONE: Preparing storage device',
      'CONFIGURING: Updating configuration',
      'DONE: Updating configuration',
      'CONFIGURING: Reloading services',
      'DONE: Reloading services',
      'configuration: success',
    ]);
    expect(lines).toContain('Upgrading from 1.0.0');
    expect(lines).toContain('upload: 100 % of 3.0 MB');
    expect(lines).toContain('Upgraded to 2.0.0');
    expect(output, 'no control sequences in a log').not.toContain('\u001b');
  });

  it('exits with 1 and names the step that FAILED', async () => {
    const checks = [status('running', 'DCP'), status('failed', 'DFP')];
    await using server = await appliance(checks, () => '1.0.0');
    const { code, lines, output } = await run('upgrade-appliance', server.url);
    expect(code, output).toBe(1);
    expect(lines).toContain('Failed at: Updating configuration');
  });
});

it('install-appliance brings everything, and follows the run', async () => {
  const checks = [{ status: 404 }, status('running', 'CPP'), status('success', 'DDD')];
  await using server = await appliance(checks, () => '1.0.0');
  const { code, lines, output } = await run('install-appliance', server.url);
  expect(code, output).toBe(0);
  expect(lines).toContain('Installed');
  expect(server.seen[0]?.parts?.map(({ name }) => name)).toEqual([
    'license',
    'settings',
    'package',
  ]);
  expect(String(server.seen[1]?.body)).toBe('complete=1');
});

it('maintenance-window waits for connections to end, and closes the window', async () => {
  let asked = 0;
  await using server = await consoleServer(({ method, url, body }) => {
    if (url.endsWith('/settings')) return { status: 200, body: { enterprise: {} } };
    const on = method === 'GET' || String(body).includes('true');
    const number = method === 'GET' && asked++ < 2 ? '3' : '0';
    const services = [{ name: 'git operations', number }];
    return { status: 200, body: { status: on ? 'on' : 'off', connection_services: services } };
  });
  const { code, lines, output } = await run('maintenance-window', server.url);
  expect(code, output).toBe(0);
  expect(lines.filter((line) => line !== '')).toEqual([
    'Maintenance: on',
    '  git operations: 3',
    '  git operations: 3',
    'Nobody is at work: the appliance may be backed up',
    'Maintenance: off',
  ]);
});

it('on a terminal, bar and steps are redrawn in place', () => {
  let text = '';
  const display = displayOn({
    isTTY: true,
    columns: 60,
    write: (each) => {
      text += each;
    },
  });
  display.upload({ sent: 500_000, total: 1_000_000 });
  display.upload({ sent: 1_000_000, total: 1_000_000 });
  const step = (word: string) => ({ key: 'Updating', status: word });
  display.status({ status: 'running', progress: [step('CONFIGURING')] });
  display.status({ status: 'success', progress: [step('DONE')] });
  display.say('Upgraded');
  expect(screenOf(text)).toEqual([
    `  [${'█'.repeat(30)}] 100 % of 1.0 MB`,
    '  ✓ Updating',
    '  success',
    'Upgraded',
  ]);
});

/** What a terminal shows after cursor-up, erase-below and erase-line. */
function screenOf(text: string): string[] {
  const lines: string[] = [];
  let row = 0;
  const visible = text.replaceAll('\u001b', '␛');
  for (const [, up, rest = ''] of visible.matchAll(/(?:␛\[(\d+)A)?((?:\r␛\[J)?[^\n]*\n)/g)) {
    row -= Number(up ?? 0);
    if (rest.startsWith('\r␛[J')) lines.length = row;
    lines[row++] = rest.replaceAll(/\r|\n|␛\[\d?[JK]/g, '');
  }
  return lines;
}
