// Process start to first answer, with this library.
import { HostingClient } from 'triforge/hosting';

const client = new HostingClient({
  baseUrl: process.argv[2] ?? '',
  auth: { type: 'token', token: 'x'.repeat(40) },
});
const team = await client.teams.get({ id: 1 });
if (team.id !== 1) throw new Error('no team');
// In KiB, on every system that Node.js runs on.
console.log(process.resourceUsage().maxRSS * 1024);
process.exit();
