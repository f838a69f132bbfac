import { program, startServer, timed } from '../processes.js';
import type { Measured } from '../result.js';
import { interleave, type Turn } from '../rounds.js';

/** Measures the first call in a new process, for each client's entry point and for the peers. */
export async function serverless(): Promise<Measured> {
  await using server = await startServer();
  const rounds = 11;
  const way = (name: string) => async (): Promise<Turn> => {
    const { ms, output } = await timed(process.execPath, [
      program('children/cold'),
      name,
      server.origin,
    ]);
    const [loading, response] = output.split(' ').map(Number);
    return [ms, { 'import ms': loading ?? Number.NaN, 'response ms': response ?? Number.NaN }];
  };
  const names = [
    'fetch',
    'triforge/hosting',
    'triforge/support',
    'triforge/console',
    'triforge/webhooks',
    'got',
    '@octokit/rest',
    '@octokit/webhooks',
  ];
  const rows = await interleave(
    Object.fromEntries(names.map((name) => [name, way(name)])),
    rounds,
    1,
  );
  return {
    title: 'Cold start of each entry point',
    about:
      'A process starts, imports one entry point, receives its first response and exits, like the first invocation of a serverless function. `triforge/support` opens a session first. `triforge/webhooks` and `@octokit/webhooks` verify a delivery instead of sending a request. Node.js 22.1 and later start faster with `module.enableCompileCache()`.',
    unit: 'ms',
    rounds,
    rows,
    goals: [],
  };
}
