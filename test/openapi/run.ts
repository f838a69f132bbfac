// Checks `openapi/*.json` with third-party tools:
// - two linters, two type generators and six client generators;
// - Prism as a mock server;
// - Prism as a validating proxy, in front of the emulator and for the test suite's recorded exchanges.
// Run: npm run test:openapi
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { createEmulator } from '../../src/testing/index.js';

const tools = {
  redocly: '@redocly/cli@2.77.0',
  spectral: '@stoplight/spectral-cli@6.16.3',
  prism: '@stoplight/prism-cli@5.14.2',
  'openapi-typescript': 'openapi-typescript@7.13.0',
  quicktype: 'quicktype@25.1.0',
  'json-schema-faker': 'json-schema-faker@0.5.9',
} as const;
/** Number of random requests for each API. */
const randomRequests = { hosting: 400, support: 70, console: 30 };
const folder = mkdtempSync(join(tmpdir(), 'triforge-openapi-'));
const bin = join(folder, 'node_modules', '.bin');
const apis = ['hosting', 'support', 'console'] as const;
const file = (api: string) => join(process.cwd(), 'openapi', `${api}.json`);
/** Folder for the exchanges with emulators during the tests. */
const exchanges = join(folder, 'exchanges');

function run(command: string, args: readonly string[], cwd = folder, env = {}): void {
  console.log(`== ${[command, ...args].join(' ').slice(0, 110)}`);
  const { status } = spawnSync(command, args, {
    cwd,
    stdio: 'inherit',
    env: { ...process.env, ...env },
  });
  if (status !== 0) throw new Error(`${command} ended with ${status}`);
}

/** Finds a free port, because Prism can't report a port that it chooses itself. */
async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === 'object' && address ? address.port : 0;
}

/** Runs a program asynchronously so that this process's emulator can respond to the program. */
async function runBeside(command: string, args: readonly string[], cwd?: string): Promise<void> {
  console.log(`== ${[command, ...args].join(' ').slice(0, 110)}`);
  await new Promise<void>((resolve, reject) => {
    const child = spawn(command, args, { stdio: 'inherit', cwd });
    child.once('close', (code) =>
      code === 0 ? resolve() : reject(new Error(`${command} ended with ${code}`)),
    );
  });
}

/** Runs a script in this folder. */
async function runScript(name: string, ...args: readonly string[]): Promise<void> {
  await runBeside(process.execPath, ['--import', 'tsx', `test/openapi/${name}.ts`, ...args]);
}

/** Starts Prism, calls `act` with its URL, and stops Prism. */
async function withPrism(
  args: readonly string[],
  act: (url: string) => Promise<void>,
): Promise<void> {
  const port = await findPort();
  const prism = spawn(join(bin, 'prism'), [...args, '-p', String(port)]);
  try {
    await untilListening(prism);
    await act(`http://127.0.0.1:${port}`);
  } finally {
    prism.kill();
  }
}

async function untilListening(prism: ChildProcess): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    let text = '';
    prism.stdout?.on('data', (chunk: Buffer) => {
      text += chunk.toString();
      if (text.includes('is listening')) resolve();
    });
    prism.once('close', () => reject(new Error(`Prism ended: ${text}`)));
  });
}

const emulator = createEmulator();
try {
  writeFileSync(join(folder, 'package.json'), '{}');
  writeFileSync(join(folder, 'ruleset.json'), '{ "extends": ["spectral:oas"] }');
  run('npm', ['install', '--no-audit', '--no-fund', ...Object.values(tools), 'typescript@5']);
  const documents = apis.map(file);
  run(join(bin, 'redocly'), ['lint', '--format', 'summary', ...documents]);
  run(join(bin, 'spectral'), ['lint', '-r', 'ruleset.json', ...documents]);
  const typesFile = (path: string) => `${basename(path, '.json')}.d.ts`;
  for (const path of documents) {
    run(join(bin, 'openapi-typescript'), [path, '-o', typesFile(path)]);
    const schemas = `${path}#/components/schemas/`;
    run(join(bin, 'quicktype'), ['-s', 'schema', '-l', 'python', '-o', 'models.py', schemas]);
    run('python3', ['models.py']);
  }
  run(join(bin, 'tsc'), ['--noEmit', '--strict', ...documents.map(typesFile)]);
  await runScript('generators');
  mkdirSync(exchanges);
  run('npx', ['vitest', 'run', '--reporter', 'dot'], process.cwd(), { KEEP_EXCHANGES: exchanges });
  const { url, hostingUrl, supportUrl } = await emulator.listen();
  const upstream = { hosting: hostingUrl, support: supportUrl, console: url };
  for (const api of apis) {
    const server = upstream[api].replace(/\/$/, '');
    await withPrism(['mock', file(api)], (mock) => runScript('call-all', api, mock, 'mock'));
    await withPrism(['proxy', '--errors', file(api), server], async (proxy) => {
      await runScript('call-all', api, proxy, 'proxy');
      await runScript('random-requests', api, proxy, String(randomRequests[api]), folder);
    });
    const port = String(await findPort());
    await withPrism(['proxy', file(api), `http://127.0.0.1:${port}`], async (proxy) => {
      await runScript('judge-exchanges', api, proxy, port, exchanges);
    });
  }
} finally {
  await emulator.close();
  rmSync(folder, { recursive: true, force: true });
}
