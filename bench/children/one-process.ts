// Runs all clients in a single process, in which the clients take turns.
import { load, type PeerName } from '../peers/index.js';
import { perform } from '../perform.js';
import { interleave, type Turn } from '../rounds.js';

const [base, rounds] = process.argv.slice(2);
if (base === undefined) throw new Error('usage: one-process <address> <rounds>');
const names: readonly PeerName[] = ['hand', 'hand, lookahead', 'triforge', 'octokit', 'fetch'];
const ways = names.map(async (name) => {
  const peer = (await load[name]())(base);
  const turn = async (): Promise<Turn> => {
    const cpu = process.cpuUsage();
    const started = performance.now();
    await perform(peer, { kind: 'users', crawls: 10, items: 2000 });
    const ms = performance.now() - started;
    const used = process.cpuUsage(cpu);
    return [ms, { 'CPU ms': (used.user + used.system) / 1000 }];
  };
  return [name, turn] as const;
});
const turns = Object.fromEntries(await Promise.all(ways));
// The first message reports to the parent that this process has started.
process.send?.('ready');
process.send?.(await interleave(turns, Number(rounds), 2));
