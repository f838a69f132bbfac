// Process start to first answer, with undici alone.
import { request } from 'undici';

const { body } = await request(`${process.argv[2]}teams/1`, {
  headers: { authorization: `token ${'x'.repeat(40)}` },
});
const team = await body.json();
if (typeof team !== 'object') throw new Error('no team');
// In KiB, on every system that Node.js runs on.
console.log(process.resourceUsage().maxRSS * 1024);
process.exit();
