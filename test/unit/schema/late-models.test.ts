import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';

// A process of its own: in this one models can be built already.
test('models judge before anything was asked for, though a program starts without what they need', () => {
  const program = `
    import { User } from './src/hosting/index.ts';
    import * as engine from './src/schema/zod.ts';
    const atStart = engine.isLoaded;
    const { issues } = await User['~standard'].validate({ id: 'x' });
    console.log(atStart, engine.isLoaded, issues?.length > 0);`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--import', 'tsx', '--input-type=module'],
    { input: program, encoding: 'utf8' },
  );
  expect(stdout.trim(), stderr).toBe('false true true');
});
