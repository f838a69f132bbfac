import { heard, start, startServer } from '../processes.js';
import type { Measured, Row } from '../result.js';

/** The other way to measure: all clients share one process, and take turns in it. */
export async function oneProcess(rounds: number): Promise<Measured> {
  await using server = await startServer();
  const { child } = await start('children/one-process', [`${server.origin}20/`, String(rounds)]);
  // Our own program tells this or ends, which throws.
  const rows = (await heard(child)) as Row[];
  child.kill();
  return {
    title: 'All clients in one process',
    about:
      'The lists of "Pages of users", ten a turn, by clients that share one process: a method by which triforge gains less on the hand loop than in "Pages of users". Three things were found to make the difference, each changed by itself: a client that asks ahead gains while the server works on another core, and less of it where turns are short; runs that are too short end before the code is compiled for good; and the collector is in the mode that the hungriest client has brought it to, which serves all of them. That the code sees more kinds of objects (megamorphism) was not found to be one. An application has one client: its process is like those of the other cases.',
    unit: 'ms',
    rounds,
    rows,
    goals: [],
  };
}
