#!/usr/bin/env node
import { errorMessage } from '../schema/unknown-values.js';
import { runDoctor } from './program.js';

runDoctor(process.argv.slice(2))
  .then(({ text, code }) => {
    process.stdout.write(text);
    process.exitCode = code;
  })
  .catch((error: unknown) => {
    process.stderr.write(`triforge-doctor: ${errorMessage(error)}\n`);
    process.exitCode = 2;
  });
