// Server of a soak run. In a separate process, the server's memory and sockets don't count as the
// client's.
import { type ServerOrder, SoakServer } from './server.js';

const [order = ''] = process.argv.slice(2);
// `as`: the parent process passes this type.
const server = await SoakServer.start(JSON.parse(order) as ServerOrder);
process.on('message', async (question) => {
  process.send?.(question === 'ledger' ? await server.ledger() : server.open);
});
process.on('disconnect', () => process.exit());
process.send?.(server.origin);
