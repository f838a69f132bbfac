// Process start to first answer, with @octokit/rest.
import { Octokit } from '@octokit/rest';

const client = new Octokit({ auth: 'x'.repeat(40), baseUrl: process.argv[2] ?? '' });
const { data } = await client.request('GET teams/{team_id}', { team_id: 1 });
if (data.id !== 1) throw new Error('no team');
const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
// In KiB, on every system that Node.js runs on, and in microseconds.
console.log(maxRSS * 1024, (userCPUTime + systemCPUTime) / 1000);
process.exit();
