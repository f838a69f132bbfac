// Brings one large package onto an appliance and tells the most memory that the process ever had.
import { ConsoleClient } from 'triforge/console';

const [baseUrl = '', file = ''] = process.argv.slice(2);
const client = new ConsoleClient({ baseUrl, auth: { licenseMd5: '0'.repeat(32) } });
await client.upgrade({ package: file });
// In KiB, on every system that Node.js runs on.
console.log(process.resourceUsage().maxRSS * 1024);
process.exit();
