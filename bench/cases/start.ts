import { program, startServer, timed } from '../processes.js';
import { atMost, type Measured, rowOf } from '../result.js';
import { interleave, type Turn } from '../rounds.js';
import { median } from '../statistics.js';

/** Time and memory from process start to the end of a process that made one request. */
export async function processStart(): Promise<Measured> {
  await using server = await startServer();
  const rounds = 15;
  const run = async (args: readonly string[]): Promise<Turn> => {
    const { ms, output } = await timed(process.execPath, args);
    return [ms, { 'peak RSS MB': Number(output) / 1e6 }];
  };
  const way = (name: string) => () => run([program(`children/${name}`), server.origin]);
  const rows = await interleave(
    {
      hand: way('start-hand'),
      triforge: way('start-triforge'),
      octokit: way('start-octokit'),
      'empty process': () => run(['-p', 'process.resourceUsage().maxRSS * 1024']),
    },
    rounds,
    2,
  );
  return {
    title: 'Process start to first answer',
    about:
      'A process is started, imports its client, makes one small request and ends; the hand loop is a script that imports undici alone. Memory is the most that the process ever had.',
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
