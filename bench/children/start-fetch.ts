// Sends a single request with only the global `fetch`.
const response = await fetch(`${process.argv[2]}teams/1`, {
  headers: { authorization: `token ${'x'.repeat(40)}` },
});
const team: unknown = await response.json();
if (typeof team !== 'object') throw new Error('no team');
const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
// `maxRSS` is in KiB on all systems, and CPU times are in microseconds.
console.log(maxRSS * 1024, (userCPUTime + systemCPUTime) / 1000);
process.exit();

export {};
