// Process start to first answer, with the global fetch alone.
const answer = await fetch(`${process.argv[2]}teams/1`, {
  headers: { authorization: `token ${'x'.repeat(40)}` },
});
const team: unknown = await answer.json();
if (typeof team !== 'object') throw new Error('no team');
const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
// In KiB, on every system that Node.js runs on, and in microseconds.
console.log(maxRSS * 1024, (userCPUTime + systemCPUTime) / 1000);
process.exit();

export {};
