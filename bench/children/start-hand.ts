// Sends a single request with only undici.
import { request } from 'undici';

const { body } = await request(`${process.argv[2]}teams/1`, {
  headers: { authorization: `token ${'x'.repeat(40)}` },
});
const team = await body.json();
if (typeof team !== 'object') throw new Error('no team');
const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
// `maxRSS` is in KiB on all systems, and CPU times are in microseconds.
console.log(maxRSS * 1024, (userCPUTime + systemCPUTime) / 1000);
process.exit();
