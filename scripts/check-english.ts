// Rejects words that this project's docs, examples and scripts avoid. Part of `npm run lint`.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** Patterns to avoid, with what to write instead. */
const avoided: readonly (readonly [RegExp, string])[] = [
  [/\bcan not\b/i, 'cannot'],
  [/\bis none\b/i, "isn't, or doesn't exist"],
  [/\b(?:nobody|somebody)\b/i, 'the actor'],
  [/\bin silence\b|\bwithout a word\b/i, 'silently'],
  [/\banew\b/i, 'again'],
  [/\balike\b/i, 'equally, or both'],
  [/\bby now\b/i, 'already'],
  [/\bbesides\b/i, 'in addition'],
  [/\bgo(?:es)? on\b/i, 'continue'],
  [/\bmended\b|\bbegun\b/i, 'fixed, or started'],
  [/\bheader fields?\b/i, 'header'],
  [/\b(?:told|heard)\b|\btells? of\b/i, 'report, return or publish'],
  [/\bof (?:its|their|your|our) own\b(?! [\w`])/i, 'its own, or a separate one'],
  [/\b(?:is|are) given\b/i, 'is passed, set or provided'],
  [/\bso (?:many|long|often)\b(?! as)/i, 'the number'],
  [/\bwhoever\b|\bwho (?:waits|asks)\b/i, 'the actor'],
  [/\bstands for itself\b/i, 'is independent'],
];

/** Lines that may contain an avoided word, because they quote it. */
const allowed: readonly string[] = ['say "in a process of its own"'];

/** Files that aren't checked, because they contain the avoided words. */
const excluded = ['scripts/check-english.ts'];
const files = execFileSync('git', ['ls-files', '*.md', 'examples/*.ts', 'scripts/**/*.ts'], {
  encoding: 'utf8',
})
  .split('\n')
  .filter((path) => path !== '' && !excluded.includes(path));

const problems = files.flatMap((path) =>
  readFileSync(path, 'utf8')
    .split('\n')
    .flatMap((line, index) =>
      avoided
        .filter(([word]) => word.test(line) && !allowed.some((text) => line.includes(text)))
        .map(([word, instead]) => `${path}:${index + 1} ${word.exec(line)?.[0]}: write ${instead}`),
    ),
);
if (problems.length > 0) {
  console.error(problems.join('\n'));
  process.exitCode = 1;
}
