// Sends a single request with @octokit/rest.
import { Octokit } from '@octokit/rest';

const client = new Octokit({ auth: 'x'.repeat(40), baseUrl: process.argv[2] ?? '' });
const { data } = await client.request('GET teams/{team_id}', { team_id: 1 });
if (data.id !== 1) throw new Error('no team');
const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
// `maxRSS` is in KiB on all systems, and CPU times are in microseconds.
console.log(maxRSS * 1024, (userCPUTime + systemCPUTime) / 1000);
process.exit();
