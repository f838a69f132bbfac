import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as octokitWebhooks from '@octokit/webhooks';
import { describe, expect, test } from 'vitest';
import { methodSections } from '../../scripts/docs/method-sections.js';
import * as webhooks from '../../src/webhooks/index.js';
import { findRoute } from './octokit-calls.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');
const wordsIn = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, word = '']) => word);

const ours = new Map(
  (await methodSections(root))
    .filter(({ name }) => name.startsWith('hosting.'))
    .map(({ name, http }) => {
      const [method = '', path = ''] = http.split(' ');
      return [name, findRoute(method, path)];
    }),
);

describe.each(['pygithub', 'go-github'])('docs/coming-from-%s.md', (name) => {
  const guide = read(`docs/coming-from-${name}.md`);
  const [, table = ''] = guide.split('## Call by call');
  const [rowsText = '', onlyHere = ''] = table.split('## Only in triforge');
  const rows = rowsText.split('\n').flatMap((line) => {
    const [, theirs = '', own = ''] = line.split('|');
    const [method] = wordsIn(own);
    return method === undefined ? [] : [{ theirs: wordsIn(theirs), own: method }];
  });
  // `as`: the file contains calls extracted from the library's sources.
  const { calls } = JSON.parse(read(`test/fixtures/calls/${name}.json`)) as {
    calls: Record<string, string[]>;
  };

  test(`docs/coming-from-${name}.md maps each supported library method to the triforge method with the same route`, () => {
    const missing = Object.entries(calls).flatMap(([call, routes]) =>
      routes.filter((route) =>
        rows.every(({ theirs, own }) => !theirs.includes(call) || ours.get(own) !== route),
      ),
    );
    expect(Object.keys(calls).length).toBeGreaterThan(70);
    expect(missing).toEqual([]);
  });

  test(`docs/coming-from-${name}.md contains only rows whose methods have the same route`, () => {
    const wrong = rows.flatMap(({ theirs, own }) =>
      theirs.filter((call) => !calls[call]?.includes(ours.get(own) ?? '')),
    );
    expect(wrong).toEqual([]);
  });

  test(`docs/coming-from-${name}.md lists every HostingClient method`, () => {
    const reported = new Set([...rows.map(({ own }) => own), ...wordsIn(onlyHere)]);
    expect([...ours.keys()].filter((method) => !reported.has(method))).toEqual([]);
  });
});

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
