import { writeSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/** Ends the output with a line that `.ci/run` sums: `N passed, N failed[, N skipped]`. */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    const states = modules.flatMap((module) => {
      const tests = [...module.children.allTests()].map((test) => test.result().state);
      // If an import, hook or suite fails, the file fails without a failed test.
      const fails = module.state() === 'failed' && !tests.includes('failed');
      return fails ? [...tests, 'failed'] : tests;
    });
    const count = (state: string) => states.filter((each) => each === state).length;
    const [passed, failed] = [count('passed'), count('failed')];
    const skipped = states.length - passed - failed;
    const line = `${passed} passed, ${failed + unhandledErrors.length} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`;
    // The line is written at exit, because other reporters print the coverage table after this event.
    process.once('exit', () => writeSync(1, line));
  }
}
