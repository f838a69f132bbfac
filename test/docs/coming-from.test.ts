import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as octokitWebhooks from '@octokit/webhooks';
import { expect, test } from 'vitest';
import * as webhooks from '../../src/webhooks/index.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');
const wordsIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);

test('docs/coming-from-octokit-webhooks.md covers every @octokit/webhooks export, method and option', () => {
  const guide = read('docs/coming-from-octokit-webhooks.md');
  const [, parts = ''] = /## Part by part([\s\S]*?)## Differences/.exec(guide) ?? [];
  const output = parts.split('\n').map((line) => line.split('|').map(wordsIn));
  const theirs = output.flatMap(([, words = []]) => words).join(' ');
  const names = [
    ...Object.keys(octokitWebhooks),
    ...Object.keys(new octokitWebhooks.Webhooks({ secret: 'x' })),
    ...['secret', 'additionalSecrets', 'transform', 'log', 'path', 'timeout'],
  ];
  expect(names.filter((name) => !new RegExp(`\\b${name}\\b`).test(theirs))).toEqual([]);
  const calls = output
    .flatMap(([, , words = []]) => words)
    .flatMap((word) => /^(\w+)\(/.exec(word) ?? []);
  const functions = calls.filter((_, index) => index % 2 === 1);
  expect(functions.length).toBeGreaterThan(2);
  expect(functions.filter((name) => !(name in webhooks))).toEqual([]);
});
