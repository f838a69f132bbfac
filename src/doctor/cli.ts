#!/usr/bin/env node
import { isError } from '../schema/unknown-values.js';
import { run } from './program.js';

run(process.argv.slice(2), process.stderr)
  .then(({ text, code }) => {
    process.stdout.write(text);
    process.exitCode = code;
  })
  .catch((error: unknown) => {
    const message = isError(error) ? error.message : String(error);
    process.stderr.write(`triforge-doctor: ${message}\n`);
    process.exitCode = 2;
  });
