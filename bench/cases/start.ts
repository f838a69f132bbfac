import { program, startServer, timed } from '../processes.js';
import { atMost, findRow, type Measured } from '../result.js';
import { interleave, type Turn } from '../rounds.js';
import { median } from '../statistics.js';

/** A program that prints its memory and CPU time without sending a request. */
const empty =
  'const used = process.resourceUsage(); console.log(used.maxRSS * 1024, (used.userCPUTime + used.systemCPUTime) / 1000)';

/** Measures the time and memory of a process that sends a single request. */
export async function processStart(): Promise<Measured> {
  await using server = await startServer();
  const rounds = 15;
  const run = async (args: readonly string[]): Promise<Turn> => {
    const { ms, output } = await timed(process.execPath, args);
    const [memory, cpu] = output.split(' ').map(Number);
    return [ms, { 'peak RSS MB': (memory ?? Number.NaN) / 1e6, 'CPU ms': cpu ?? Number.NaN }];
  };
  const way = (name: string) => () => run([program(`children/${name}`), server.origin]);
  const rows = await interleave(
    {
      hand: way('start-hand'),
      triforge: way('start-triforge'),
      octokit: way('start-octokit'),
      fetch: way('start-fetch'),
      'empty process': () => run(['-e', empty]),
    },
    rounds,
    2,
  );
  return {
    title: 'Process start to first response',
    about:
      'A process starts, imports its client, sends one small request and ends. The hand loop is a script that imports all of undici. "fetch" is a script that imports nothing. Memory is the maximum of the process.',
    unit: 'ms',
    rounds,
    rows,
    goals: [atMost(0.95, findRow(rows, 'triforge').ratio, '0.95 of the script with undici')],
  };
}

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
      'A process starts, imports one entry point, receives its first response and ends, like the first invocation of a serverless function. `triforge/support` opens a session first. The two entry points for webhooks verify a delivery and send no request. Node.js 22 and newer start faster with `module.enableCompileCache()`.',
    unit: 'ms',
    rounds,
    rows,
    goals: [],
  };
}

/** Measures how long the library's code takes to load, without its dependencies. */
export async function ownCode(): Promise<Measured> {
  const rounds = 41;
  const rows = await interleave(
    {
      triforge: async () => {
        const { output } = await timed(process.execPath, [program('children/own-code')]);
        return [Number(output)];
      },
    },
    rounds,
    2,
  );
  return {
    title: 'Loading the library’s own code',
    about:
      'The import of `triforge/hosting` in a new process that has already loaded undici’s agent and the modules of Node.js. The bundled parts of zod and uri-template are included.',
    unit: 'ms',
    rounds,
    rows,
    goals: [atMost(15, median(rows.map((row) => row.median)), '15 ms')],
  };
}
