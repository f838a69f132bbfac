import { execFile } from 'node:child_process';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, inject, test } from 'vitest';

const run = promisify(execFile);
const examples = join(inject('programs'), 'examples');

test('test-with-node passes its two tests under node:test', async () => {
  const program = join(examples, 'test-with-node.js');
  const { stdout } = await run(process.execPath, ['--test', '--test-reporter=tap', program]);
  expect(stdout).toMatch(/^# pass 2$/m);
});

test('test-with-jest passes its two tests under Jest', async () => {
  const jest = createRequire(import.meta.url).resolve('jest/bin/jest');
  const { stderr } = await run(process.execPath, [
    '--experimental-vm-modules',
    jest,
    // The example is compiled into a folder that Jest ignores by default.
    `--rootDir=${examples}`,
    '--testPathIgnorePatterns=^$',
    '--testRegex=test-with-jest',
    '--runTestsByPath',
    join(examples, 'test-with-jest.js'),
    '--transform={}',
    '--coverage=false',
  ]);
  expect(stderr).toMatch(/Tests: +2 passed, 2 total/);
});
