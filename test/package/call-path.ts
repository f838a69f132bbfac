/**
 * Prints the triforge functions that a call runs, by file, as JSON. To understand a call, read these
 * functions. Warm-up calls run first, so the list excludes one-time work.
 * Run: npx tsx test/package/call-path.ts
 */
import { Session } from 'node:inspector/promises';
import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { HostingClient } from '../../src/index.js';
import { createEmulator, seeded } from '../../src/testing/index.js';

/** Names of the functions that ran, by file in `src`. */
type CallPath = Readonly<Record<string, readonly string[]>>;

const source = fileURLToPath(new URL('../../src/', import.meta.url));

/** Functions that the transpiler and V8 generate. */
const generated = new Set(['__name', '<instance_members_initializer>']);

/** Returns the shortest of three paths, because one call per second also parses a `Date` header. */
async function findPath(call: () => Promise<unknown>): Promise<CallPath> {
  for (let warming = 0; warming < 3; warming += 1) await call();
  const paths = [await traced(call), await traced(call), await traced(call)];
  const [shortest = {}] = paths.sort((one, other) => countFunctions(one) - countFunctions(other));
  return shortest;
}

function countFunctions(path: CallPath): number {
  return Object.values(path).flat().length;
}

async function traced(call: () => Promise<unknown>): Promise<CallPath> {
  const session = new Session();
  session.connect();
  await session.post('Profiler.enable');
  await session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  await call();
  const { result } = await session.post('Profiler.takePreciseCoverage');
  session.disconnect();
  const path: Record<string, string[]> = {};
  for (const { url, functions } of result) {
    const file = url.startsWith('file:') ? relative(source, fileURLToPath(url)) : '..';
    if (file.startsWith('..') || file.startsWith('testing')) continue;
    const ran = functions.filter(
      ({ functionName, ranges }) =>
        !generated.has(functionName) && ranges.some(({ count }) => count > 0),
    );
    if (ran.length > 0) path[file] = ran.map(({ functionName }) => functionName || '(no name)');
  }
  return path;
}

const emulator = createEmulator();
const { hostingUrl } = await emulator.listen();
const { owner, repo, token } = seeded;
const client = new HostingClient({
  baseUrl: hostingUrl,
  vendor: 'service',
  auth: { type: 'token', token },
});
const paths = {
  'pulls.get': await findPath(() => client.pulls.get({ owner, repo, number: 1 })),
  'the first page of pulls.list': await findPath(() =>
    client.pulls.list({ owner, repo, state: 'all' }).pages().next(),
  ),
};
await client.close();
await emulator.close();

console.log(JSON.stringify(paths, undefined, 1));
