import { writeSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/**
 * Ends the output with a line for programs that parse the log: `N passed, N failed`, followed by
 * `, N skipped` if tests were skipped. Counts test files that fail to load and errors outside tests
 * as failures.
 */
export default class CountReporter implements Reporter {
  onTestRunEnd(modules: readonly TestModule[], unhandledErrors: readonly unknown[]): void {
    let passed = 0;
    let failed = unhandledErrors.length;
    let skipped = 0;
    for (const module of modules) {
      let failedHere = 0;
      for (const test of module.children.allTests()) {
        const { state } = test.result();
        if (state === 'passed') passed += 1;
        else if (state === 'failed') failedHere += 1;
        else skipped += 1;
      }
      // If an import, hook or suite fails, the file fails without a failed test.
      failed += failedHere === 0 && module.state() === 'failed' ? 1 : failedHere;
    }
    const line = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`;
    // The line is written at exit, because other reporters print the coverage table after this event.
    process.once('exit', () => writeSync(1, line));
  }
}
