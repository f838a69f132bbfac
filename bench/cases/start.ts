import { program, startServer, timed } from '../processes.js';
import { atMost, type Measured, rowOf } from '../result.js';
import { interleave, type Turn } from '../rounds.js';
import { median } from '../statistics.js';

/** What an empty process tells of itself. */
const empty =
  'const used = process.resourceUsage(); console.log(used.maxRSS * 1024, (used.userCPUTime + used.systemCPUTime) / 1000)';

/** Time and memory from process start to the end of a process that made one request. */
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
    title: 'Process start to first answer',
    about:
      'A process is started, imports its client, makes one small request and ends; the hand loop is a script that imports undici alone, which loads all of it; "fetch" is one that imports nothing. Memory is the most that the process ever had.',
    unit: 'ms',
    rounds,
    rows,
    goals: [atMost(1.15, rowOf(rows, 'triforge').ratio, '1.15 of the script with undici')],
  };
}

/** What of the start is the library's own. */
export async function ownCode(): Promise<Measured> {
  const rounds = 15;
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
    title: 'Loading of the library’s own code',
    about:
      'The import of `triforge/hosting` in a fresh process that has loaded uri-template, undici’s agent and the modules of Node.js already. What is used of zod is built into it.',
    unit: 'ms',
    rounds,
    rows,
    goals: [atMost(15, median(rows.map((row) => row.median)), '15 ms')],
  };
}
