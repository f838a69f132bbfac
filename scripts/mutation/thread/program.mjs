// Loaded first by programs that tests start: says at their end where they came by.
import { writeFileSync } from 'node:fs';

process.on('exit', () => {
  const covered = globalThis.__stryker__?.mutantCoverage?.static;
  if (covered)
    writeFileSync(`${process.env.MUTATE_COVERED}${process.pid}.json`, JSON.stringify(covered));
});
