// Uploads a large package to an appliance, and prints the process's peak memory.
import { ConsoleClient } from 'triforge/console';

const [baseUrl = '', file = ''] = process.argv.slice(2);
const client = new ConsoleClient({ baseUrl, auth: { licenseMd5: '0'.repeat(32) } });
await client.upgrade({ package: file });
// `maxRSS` is in KiB on all systems.
console.log(process.resourceUsage().maxRSS * 1024);
process.exit();
