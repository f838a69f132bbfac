import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

test('compileCheck() falls back to zod if Node.js disallows code generation from strings', () => {
  const program = `
    import * as z from 'zod';
    import { compileCheck } from './src/schema/check.ts';
    const check = compileCheck(z.object({ a: z.array(z.int()) }));
    console.log(check({ a: [1] }), check({ a: ['1'] }));`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--disallow-code-generation-from-strings', '--import', 'tsx', '--input-type=module'],
    { input: program, encoding: 'utf8' },
  );
  expect(stdout.trim(), stderr).toBe('true false');
});
