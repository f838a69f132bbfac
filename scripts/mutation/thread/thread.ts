// Runs in the thread that vitest makes for its tests, and keeps it: each order runs some tests again,
// with sources that were loaded once, instead of a new thread that loads all of them for each fault.
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type File, type Suite, startTests, type Task, type Test } from '@vitest/runner';
import timersOfUndici from 'undici/lib/util/timers.js';
import { vi } from 'vitest';
import { VitestTestRunner } from 'vitest/runners';
import {
  type Answer,
  type Coverage,
  channel,
  type Instrumented,
  type Message,
  type Order,
  type Ran,
} from './messages.js';

type Config = ConstructorParameters<typeof VitestTestRunner>[0];

/** A module that vitest has loaded, or is about to. */
interface Loaded {
  promise: unknown;
  exports: unknown;
  evaluated: boolean;
  importers: Set<string>;
}

// `as`: Stryker's instrumented sources look there.
const scope = globalThis as { __stryker__?: Instrumented };
scope.__stryker__ ??= {};
const instrumented = scope.__stryker__;

/** Where programs that a test started came by, by its id; they say so in files of this folder. */
const inPrograms: Record<string, Record<string, number>> = {};
const saidThere = mkdtempSync(join(tmpdir(), 'mutate-covered-'));
process.on('exit', () => rmSync(saidThere, { recursive: true, force: true }));
process.env.MUTATE_COVERED = `${saidThere}/`;

function hearPrograms(test: Test): void {
  for (const name of readdirSync(saidThere)) {
    const path = join(saidThere, name);
    // `as`: what program.mjs wrote.
    const covered = JSON.parse(readFileSync(path, 'utf8')) as Record<string, number>;
    rmSync(path);
    inPrograms[idOf(test)] = { ...inPrograms[idOf(test)], ...covered };
  }
}

/** Adds what only programs come by: where a test does in this thread, it notices sooner. */
function withPrograms(coverage: Coverage | undefined): Coverage | undefined {
  if (!coverage) return undefined;
  const near = new Set(
    [coverage.static, ...Object.values(coverage.perTest)].flatMap((each) => Object.keys(each)),
  );
  const perTest = { ...coverage.perTest };
  for (const [test, covered] of Object.entries(inPrograms)) {
    const far = Object.entries(covered).filter(([fault]) => !near.has(fault));
    perTest[test] = { ...perTest[test], ...Object.fromEntries(far) };
  }
  return { ...coverage, perTest };
}

export function idOf(test: Test): string {
  return `${test.file.name}#${nameOf(test)}`;
}

function nameOf(test: Test): string {
  const names = [test.name];
  for (let { suite } = test; suite; suite = suite.suite) names.unshift(suite.name);
  return names.join(' ').trim();
}

function testsOf(task: Task): readonly Test[] {
  return task.type === 'suite' ? task.tasks.flatMap(testsOf) : [task];
}

/** Leaves out what was not asked for, and the hooks around it. */
function select(task: Task, wanted: ReadonlySet<string>): void {
  if (task.type === 'suite') for (const each of task.tasks) select(each, wanted);
  if (!testsOf(task).some((test) => wanted.has(idOf(test)))) task.mode = 'skip';
}

/** Runs the tests of one order. */
class OrderRunner extends VitestTestRunner {
  constructor(
    config: Config,
    outer: VitestTestRunner,
    readonly order: Order,
  ) {
    // A test that waits for ever must not hold up the rest.
    super(
      order.limit === undefined
        ? config
        : { ...config, testTimeout: order.limit, hookTimeout: order.limit },
    );
    // What vitest gives its runner after it made it.
    Reflect.set(this, 'moduleRunner', Reflect.get(outer, 'moduleRunner'));
    this.__setTraces(Reflect.get(outer, '_otel'));
  }
  onCollected(files: File[]): void {
    const { tests, fault, hitLimit } = this.order;
    if (tests) for (const file of files) select(file, new Set(tests));
    instrumented.activeMutant = fault;
    // Programs that tests start find it there; without one they say where they came by.
    if (fault !== undefined) process.env.__STRYKER_ACTIVE_MUTANT__ = fault;
    else delete process.env.__STRYKER_ACTIVE_MUTANT__;
    if (tests === undefined && fault === undefined) process.env.NODE_OPTIONS = `--import=${hook}`;
    else delete process.env.NODE_OPTIONS;
    instrumented.hitLimit = hitLimit;
  }
  override onBeforeTryTask(test: Test): void {
    super.onBeforeTryTask(test);
    instrumented.currentTestId = this.order.fault === undefined ? idOf(test) : undefined;
  }
  override onAfterTryTask(test: Test): void {
    instrumented.currentTestId = undefined;
    if (this.order.fault === undefined) hearPrograms(test);
    super.onAfterTryTask(test);
  }
  override onAfterRunTask(test: Test): void {
    super.onAfterRunTask(test);
    const over = test.result?.state === 'fail' && this.order.fault !== undefined;
    if (over) this.cancel('test-failure');
  }
  override onAfterRunFiles(): void {
    instrumented.activeMutant = undefined;
    super.onAfterRunFiles();
  }
}

/** What vitest is told to run its tests by: it never comes to those that vitest has found. */
export default class KeptRunner extends VitestTestRunner {
  async onBeforeCollect(): Promise<void> {
    const port = new BroadcastChannel(channel);
    await new Promise<void>((end) => {
      // `as`: both ends say nothing else.
      port.onmessage = async ({ data }: { data: unknown }) => {
        const message = data as Message;
        if (message.kind === 'end') end();
        if (message.kind === 'run') port.postMessage(await this.#run(message));
      };
      port.postMessage({ kind: 'ready' } satisfies Message);
    });
    port.close();
  }

  async #run(order: Order): Promise<Answer> {
    const { fault, tests } = order;
    if (fault === undefined) return this.#try(order);
    const tried = await this.#try(order);
    const failed = tried.tests.find(({ state }) => state === 'failed');
    if (failed) {
      // Is it this fault, or what an earlier one left behind, or a machine that is too slow for the limit?
      const whole = await this.#try({
        ...order,
        files: [failed.file],
        tests: [failed.id],
        fault: undefined,
      });
      if (!whole.tests.some(({ state }) => state === 'failed')) return tried;
    } else if (tests === undefined) {
      return tried;
    } else if (tried.hitCount !== 0) {
      // What was loaded just now has met what runs but once: a second time it does not.
      const twice = await this.#try(order);
      if (twice.hitCount !== 0) return tried;
    }
    // Nor is the fault met where its code runs but once, and did so before: then any test of the file may notice.
    this.#forget(isOurs);
    const again = await this.#try({ ...order, tests: undefined });
    this.#forget(isOurs);
    return again;
  }

  /** Runs an order as things are. */
  async #try(order: Order): Promise<Answer> {
    const ran: Ran[] = [];
    this.#forget((path) => order.files.includes(path));
    instrumented.hitCount = order.fault === undefined ? undefined : 0;
    for (const path of order.files) {
      // What runs once is reached from each file, and not from the first alone.
      if (order.fault === undefined && order.tests === undefined) this.#forget(isOurs);
      const mocks = /\bvi\.mock\(/.test(readFileSync(path, 'utf8'));
      if (mocks) this.#forget(isOurs);
      const runner = new OrderRunner(this.config, this, order);
      const files = await startTests([path], runner);
      ran.push(...files.flatMap(toldOf));
      restoreGlobals();
      if (mocks) this.#unmock();
      await new Promise(setImmediate);
      const [unheard] = stray.splice(0);
      const last = ran.findLast(({ state }) => state !== 'skipped');
      if (unheard !== undefined && last) {
        ran[ran.lastIndexOf(last)] = { ...last, state: 'failed', message: unheard };
      }
      if (order.fault !== undefined && ran.some(({ state }) => state === 'failed')) break;
    }
    return {
      kind: 'ran',
      tests: ran,
      hitCount: instrumented.hitCount,
      coverage: order.fault === undefined ? withPrograms(instrumented.mutantCoverage) : undefined,
    };
  }

  /** Modules that a file replaced are what they are for the next one. */
  #unmock(): void {
    const { mocker } = Reflect.get(this, 'moduleRunner') as { mocker: { reset(): void } };
    mocker.reset();
    this.#forget((path) => isOurs(path) || path.startsWith('mock:'));
  }

  /** Modules are evaluated anew when they are next imported. */
  #forget(which: (path: string) => boolean): void {
    const { evaluatedModules } = Reflect.get(this, 'workerState') as {
      evaluatedModules: { idToModuleMap: Map<string, Loaded> };
    };
    for (const [path, module] of evaluatedModules.idToModuleMap) {
      if (!which(path)) continue;
      module.promise = undefined;
      module.exports = undefined;
      module.evaluated = false;
      module.importers.clear();
    }
  }
}

const hook = new URL('program.mjs', import.meta.url).href;

const isOurs = (path: string) =>
  !path.includes('/node_modules/') && /\/(src|test|examples)\//.test(path);

/** What tests put in place of timers and clocks. */
const replaced = [
  'setTimeout',
  'clearTimeout',
  'setInterval',
  'clearInterval',
  'setImmediate',
  'clearImmediate',
  'Date',
  'performance',
] as const;
const originals = replaced.map((name): [string, PropertyDescriptor | undefined] => [
  name,
  Object.getOwnPropertyDescriptor(globalThis, name),
]);

/** Undoes what a test that failed left replaced, and spies that outlived the timers they were set on. */
function restoreGlobals(): void {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  for (const [name, property] of originals) {
    if (property) Object.defineProperty(globalThis, name, property);
  }
  // undici keeps one timer for all its sockets, which is a false one if a test made it.
  timersOfUndici.reset();
}

/** Errors that nobody caught. */
const stray: string[] = [];
for (const event of ['unhandledRejection', 'uncaughtException']) {
  process.on(event, (error) => stray.push(String(error)));
}

function toldOf(file: File): readonly Ran[] {
  const tests = testsOf(file);
  if (tests.length > 0) return tests.map(told);
  // A file that can't be loaded is not one without tests.
  const { name, filepath, result } = file;
  const message = result?.errors?.[0]?.message ?? 'it has no tests';
  return [{ id: name, name, file: filepath, ms: 0, state: 'failed', message }];
}

function told(test: Test): Ran {
  const { state, errors, duration } = test.result ?? {};
  const broken = state === 'fail' ? errors : brokenSuite(test.suite);
  return {
    id: idOf(test),
    name: nameOf(test),
    file: test.file.filepath,
    ms: duration ?? 0,
    state: broken ? 'failed' : state === 'pass' ? 'passed' : 'skipped',
    message: broken?.[0]?.message ?? '',
  };
}

/** A hook that failed, whose tests did not run. */
function brokenSuite(suite: Suite | undefined): { message: string }[] | undefined {
  if (!suite) return undefined;
  return suite.result?.state === 'fail' && suite.result.errors?.length
    ? suite.result.errors
    : brokenSuite(suite.suite);
}
