// Stryker's side: a test runner that keeps vitest's thread between faults.
import { resolve } from 'node:path';
import { declareFactoryPlugin, PluginKind } from '@stryker-mutator/api/plugin';
import {
  type DryRunResult,
  DryRunStatus,
  determineHitLimitReached,
  type MutantRunOptions,
  type MutantRunResult,
  type TestResult,
  type TestRunner,
  TestStatus,
  toMutantRunResult,
} from '@stryker-mutator/api/test-runner';
import { createVitest, type Vitest } from 'vitest/node';
import { type Answer, channel, type Message, type Order, type Ran } from './messages.js';

class ThreadTestRunner implements TestRunner {
  readonly #port = new BroadcastChannel(channel);
  #vitest: Vitest | undefined;
  #files: string[] = [];
  #answered: (answer: Answer) => void = () => undefined;

  capabilities() {
    // The thread evaluates sources anew where it must.
    return { reloadEnvironment: true };
  }

  async init(): Promise<void> {
    process.env.NODE_ENV = 'test';
    process.env.VITEST = '1';
    const vitest = await createVitest('test', {
      config: 'vitest.mutate.config.ts',
      watch: false,
      onConsoleLog: () => false,
    });
    this.#vitest = vitest;
    const found = await vitest.globTestSpecifications();
    const order = (process.env.MUTATE_TESTS ?? '').split(',').map((file) => resolve(file));
    this.#files = order.filter((file) => found.some(({ moduleId }) => moduleId === file));
    await new Promise<void>((ready) => {
      // `as`: the thread says nothing else.
      this.#port.onmessage = ({ data }: { data: unknown }) => {
        const message = data as Message;
        if (message.kind === 'ready') ready();
        if (message.kind === 'ran') this.#answered(message);
      };
      void vitest.runTestSpecifications(found.slice(0, 1));
    });
  }

  async #run(order: Order): Promise<Answer> {
    return new Promise((answered) => {
      this.#answered = answered;
      this.#port.postMessage(order);
    });
  }

  async dryRun(): Promise<DryRunResult> {
    const { tests, coverage } = await this.#run({ kind: 'run', files: this.#files });
    return {
      status: DryRunStatus.Complete,
      tests: tests.map(resultOf),
      ...(coverage && { mutantCoverage: coverage }),
    };
  }

  async mutantRun({
    testFilter,
    activeMutant,
    hitLimit,
  }: MutantRunOptions): Promise<MutantRunResult> {
    const wanted = new Set(testFilter?.map((id) => id.slice(0, id.indexOf('#'))));
    const files = this.#files.filter(
      (file) => !testFilter || [...wanted].some((name) => file.endsWith(`/${name}`)),
    );
    const { tests, hitCount } = await this.#run({
      kind: 'run',
      files,
      tests: testFilter,
      fault: activeMutant.id,
      hitLimit,
      limit: 4000,
    });
    const hung =
      determineHitLimitReached(hitCount, hitLimit) ??
      (tests.some(({ message }) => /^(Test|Hook) timed out in /.test(message))
        ? { status: DryRunStatus.Timeout as const }
        : undefined);
    return toMutantRunResult(hung ?? { status: DryRunStatus.Complete, tests: tests.map(resultOf) });
  }

  async dispose(): Promise<void> {
    this.#port.postMessage({ kind: 'end' } satisfies Message);
    this.#port.close();
    await this.#vitest?.close();
  }
}

function resultOf({ id, name, file, ms, state, message }: Ran): TestResult {
  const base = { id, name, fileName: file, timeSpentMs: ms };
  if (state === 'failed') return { ...base, status: TestStatus.Failed, failureMessage: message };
  return { ...base, status: state === 'passed' ? TestStatus.Success : TestStatus.Skipped };
}

export const strykerPlugins = [
  declareFactoryPlugin(PluginKind.TestRunner, 'thread', () => new ThreadTestRunner()),
];
