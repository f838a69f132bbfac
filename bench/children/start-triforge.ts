// Sends a single request with triforge.
import { HostingClient } from 'triforge/hosting';

const client = new HostingClient({
  baseUrl: process.argv[2] ?? '',
  auth: { type: 'token', token: 'x'.repeat(40) },
});
const team = await client.teams.get({ id: 1 });
if (team.id !== 1) throw new Error('no team');
const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
// `maxRSS` is in KiB on all systems, and CPU times are in microseconds.
console.log(maxRSS * 1024, (userCPUTime + systemCPUTime) / 1000);
process.exit();
