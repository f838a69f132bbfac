// Runs in a separate process, because it changes the working directory and replaces the network.
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { Agent, type Dispatcher } from 'undici';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Emulator } from '../../src/testing/index.js';
import { noEngine } from '../support/redis-server.js';
import { readDocuments } from './documents.js';
import { type CodeBlock, readMarkdown } from './markdown.js';
import { createModules, lacksEngine } from './snippet-modules.js';
import { listCalls, preludeValues, snippetWorld, writeSnippetFiles } from './snippet-world.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const documents = readDocuments(root).map(({ path, text }) => {
  return { path, blocks: readMarkdown(text).blocks };
});

/**
 * All snippets. If a snippet can't run here, change the snippet, or replace the module that it imports
 * in `snippet-modules.ts`.
 */
const snippets = documents.flatMap(({ path, blocks }) => {
  const found: { readonly name: string; readonly code: string }[] = [];
  for (const { code, directives, line } of blocks.filter(isCode)) {
    const before = directives.includes('continues') ? `${found.at(-1)?.code}\n` : '';
    found.push({ name: `${path}:${line}`, code: before + code });
  }
  return found;
});

function isCode({ language }: CodeBlock): boolean {
  return /^(?:[cm]?[jt]s|typescript|javascript)$/i.test(language);
}

/** Matches URLs of servers that exist only in the documents. Hosts below `test` are emulated there. */
const nowhere = /^https?:\/\/(?:[^/]*\.)?example\.com(?=[:/]|$)/;
const environment = {
  HOOK_SECRET: 'a secret',
  OAUTH_CLIENT_ID: 'abcde12345abcde12345',
  OAUTH_CLIENT_SECRET: 'abcdefghijabcdefghijabcdefghijabcdefghij',
  TOKEN: 'your-token',
  TRIFORGE_TOKEN: 'your-token',
};
/** Environment variables for `fromEnv()`. */
const variables = {
  TRIFORGE_BASE_URL: 'https://code.example.com/api/v3/',
  TRIFORGE_TOKEN: 'your-token',
  TRIFORGE_SUPPORT_BASE_URL: 'https://support.example.com/api/v2/',
  TRIFORGE_SUPPORT_ACCESS_TOKEN: 'your-session',
  TRIFORGE_CONSOLE_BASE_URL: 'https://code.example.com:8443',
};
const silent = () => undefined;
// `AsyncFunction` isn't a global.
const AsyncFunction: FunctionConstructor = Object.getPrototypeOf(async () => undefined).constructor;
const home = process.cwd();
const world = documents.flatMap(({ blocks }) => blocks).find(({ language }) => language === 'yaml');
const ends: (() => unknown)[] = [];
let folder = '';
let emulator: Emulator;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'triforge-snippets-'));
  process.chdir(folder);
});
afterAll(async () => {
  process.chdir(home);
  await rm(folder, { recursive: true });
});

beforeEach(() => {
  for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value);
  // undici's `Agent`, `Client` and pools inherit `dispatch` from this prototype, and its proxy agents
  // send requests through an `Agent`.
  const base: Dispatcher = Object.getPrototypeOf(Agent.prototype);
  const { dispatch } = base;
  /** Options of requests that the emulator's own agent sends on. */
  const emulated = new WeakSet<Dispatcher.DispatchOptions>();
  base.dispatch = function (options, handler) {
    if (emulated.has(options) || !nowhere.test(String(options.origin))) {
      return dispatch.call(this, options, handler);
    }
    const copy = { ...options };
    emulated.add(copy);
    return emulator.dispatcher().dispatch(copy, handler);
  };
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (input: string | URL | Request, init?: RequestInit) => {
    const url = input instanceof Request ? input.url : String(input);
    return nowhere.test(url) ? emulator.respond(new Request(input, init)) : fetch(input, init);
  });
  ends.push(() => {
    base.dispatch = dispatch;
    vi.unstubAllGlobals();
    vi.unstubAllEnvs();
  });
});
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

test('the documents contain more than 200 snippets', () =>
  expect(snippets.length).toBeGreaterThan(200));

const named = snippets.map(({ name, code }) => [name, code] as const);
test.for(named)('the snippet %s runs without an error', async ([, code], { skip }) => {
  skip(lacksEngine(code), noEngine);
  writeSnippetFiles(folder, world?.code ?? '');
  emulator = snippetWorld(code);
  ends.push(() => emulator.close());
  // A snippet that replays a recording must record it first.
  if (code.includes('process.env.RECORD')) await run(code, { RECORD: 'yes' });
  await run(code);
});

async function run(code: string, more: Readonly<Record<string, string>> = {}): Promise<void> {
  const { modules, runTests, close } = await createModules(code);
  ends.push(close);
  const values = await preludeValues(emulator, code);
  const exports: Record<string, unknown> = {};
  const scope = {
    ...values,
    console: { log: silent, debug: silent, info: silent, warn: silent, error: silent },
    process: Object.create(process, {
      env: { value: { ...environment, ...more } },
      exitCode: { writable: true },
      stdout: { value: new PassThrough().resume() },
    }),
    exports,
    require: (name: string) => modules.get(name),
  };
  const { outputText } = ts.transpileModule(code, {
    compilerOptions: {
      module: ts.ModuleKind.CommonJS,
      target: ts.ScriptTarget.ES2022,
      esModuleInterop: true,
    },
  });
  // The code runs in a block, because it can declare the same names as the preludes.
  const program = AsyncFunction(...Object.keys(scope), `{${outputText}}`);
  await program(...Object.values(scope));
  await runTests();
  for (const [name, parameters] of Object.entries(listCalls(values))) {
    const exported = exports[name];
    if (typeof exported === 'function') await exported(...parameters);
  }
}
