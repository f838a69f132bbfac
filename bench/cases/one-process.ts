import { receiveMessage, start, startServer } from '../processes.js';
import type { Measured, Row } from '../result.js';

/** Measures all clients in a single process, in which the clients take turns. */
export async function oneProcess(rounds: number): Promise<Measured> {
  await using server = await startServer();
  const { child } = await start('children/one-process', [`${server.origin}20/`, String(rounds)]);
  // `as`: the child process sends this type. `receiveMessage` throws if the program
  // exits.
  const rows = (await receiveMessage(child)) as Row[];
  child.kill();
  return {
    title: 'All clients in one process',
    about:
      'The lists of "Pages of users", ten per turn, with all clients in one process. triforge’s lead over the hand loop is smaller than in "Pages of users", for three reasons, each measured separately. Prefetching helps while the server works on another core, but less if turns are short. Short runs end before the code is fully optimized. And the client that needs the most memory determines the garbage collector’s mode for all of them. Megamorphic code has no measurable effect. An application has one client, so its process is like those of the other cases.',
    unit: 'ms',
    rounds,
    rows,
    goals: [],
  };
}
