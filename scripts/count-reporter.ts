import { writeSync } from 'node:fs';
import type { Reporter, TestModule } from 'vitest/node';

/**
 * Ends the output with one plain line, `N passed, N failed` (`, N skipped` where there are any),
 * for whatever reads the log. A test file that could not be loaded, and an error outside of any
 * test, count as failed: nothing that went wrong may hide behind a count of zero.
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
      // A failing import, hook or suite leaves the file failed without a failed test.
      failed += failedHere === 0 && module.state() === 'failed' ? 1 : failedHere;
    }
    const line = `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`;
    // The coverage table comes after all reporters: only the exit of the process is the very end.
    process.once('exit', () => writeSync(1, line));
  }
}
