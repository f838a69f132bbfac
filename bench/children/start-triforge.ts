// Process start to first answer, with this library.
import { HostingClient } from 'triforge/hosting';

const client = new HostingClient({
  baseUrl: process.argv[2] ?? '',
  auth: { type: 'token', token: 'x'.repeat(40) },
});
const team = await client.teams.get({ id: 1 });
if (team.id !== 1) throw new Error('no team');
const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
// In KiB, on every system that Node.js runs on, and in microseconds.
console.log(maxRSS * 1024, (userCPUTime + systemCPUTime) / 1000);
process.exit();
