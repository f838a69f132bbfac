import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import * as octokitWebhooks from '@octokit/webhooks';
import ts from 'typescript';
import { expect, test } from 'vitest';
import { ZodObject } from 'zod';
import type { Results } from '../../bench/result.js';
import { recipes } from '../../docs/.vitepress/recipes.js';
import { sidebar } from '../../docs/.vitepress/sidebar.js';
import * as schemas from '../../src/schemas/index.js';
import * as webhooks from '../../src/webhooks/index.js';
import { readDocuments } from './documents.js';
import { readMarkdown } from './markdown.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(`${root}${path}`, 'utf8');

test('docs/extending.md lists exactly the schemas that keep undeclared fields', () => {
  const text = read('docs/extending.md');
  const [, list = ''] = /Models that allow any field \(([^)]*)\)/.exec(text) ?? [];
  const open = Object.entries(schemas)
    .filter(([, schema]) => schema instanceof ZodObject && schema.def.catchall !== undefined)
    .map(([name]) => name)
    .sort();
  expect(list.replaceAll('`', '').split(', ')).toEqual(open);
});

test('code in the documents avoids `using`, a syntax error in Node.js 20 and 22', () => {
  const found = readDocuments(root).flatMap(({ path, text }) =>
    readMarkdown(text)
      .blocks.filter(({ code }) => /\busing \w+ =/.test(code))
      .map(({ line }) => `${path}:${line}`),
  );
  expect(found).toEqual([]);
});

test('the chart on the home page shows the stored benchmark results', () => {
  // `as`: the benchmark wrote the file with this type.
  const { users } = JSON.parse(read('bench/results.json')) as Results;
  const clients = ['triforge', 'axios', 'ky', 'octokit', 'got'];
  const rows = users?.rows.filter(({ name }) => clients.includes(name)) ?? [];
  const slowest = Math.max(...rows.map(({ median }) => median));
  const expected = rows
    .sort((a, b) => a.median - b.median)
    .map(({ name, median }) => {
      const client = name === 'octokit' ? '@octokit/rest' : name;
      const width = Math.round((median / slowest) * 100);
      return `| ${client} | ${Math.round(median)} | <i style="width: ${width}%"></i> |`;
    });
  const chart = read('docs/index.md')
    .replaceAll('**', '')
    .match(/^\|.*<i style.*$/gm);
  expect(expected).toHaveLength(clients.length);
  expect(chart).toEqual(expected);
});

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
  expect(functions.length).toBeGreaterThan(1);
  expect(functions.filter((name) => !(name in webhooks))).toEqual([]);
});

test('docs/recipes.md lists exactly the programs in examples/', () => {
  const linked = [...read('docs/recipes.md').matchAll(/\[(.+)\]\(\.\.\/examples\/(.+)\.ts\)/g)];
  const rows = linked.map(([, title, name]) => `${name}: ${title}`);
  const titles = recipes().map(({ name, title }) => `${name}: ${title}`);
  expect(new Set(rows)).toEqual(new Set(titles));
  expect(rows).toHaveLength(titles.length);
});

test.each(recipes())(
  'the recipe $name has a title, a description, a command and short code without local imports',
  (recipe) => {
    const { name, title, text, code } = recipe;
    expect(title).toMatch(/^[A-Z].{9,60}$/);
    expect(text.length).toBeGreaterThan(60);
    expect(text, 'a command that runs the recipe').toMatch(
      new RegExp(`^ {4}.*examples/${name}\\.ts`, 'm'),
    );
    expect(code.split('\n').length).toBeLessThanOrEqual(60);
    expect(code, 'no import of a local file').not.toMatch(/from '\.\.?\//);
  },
);

/** Returns each channel with its fields, as declared in the sources. */
function declared(): Record<string, string[]> {
  const text = read('src/transport/request/diagnostics.ts');
  const file = ts.createSourceFile('diagnostics.ts', text, ts.ScriptTarget.Latest, true);
  const events = file.statements
    .filter(ts.isInterfaceDeclaration)
    .find(({ name }) => name.text === 'DiagnosticEvents');
  const channels = [...(events?.members ?? [])].filter(ts.isPropertySignature).map((channel) => {
    const type = channel.type && ts.isTypeLiteralNode(channel.type) ? channel.type.members : [];
    const name = ts.isStringLiteral(channel.name) ? channel.name.text : channel.name.getText();
    return [name, type.map((field) => field.name?.getText() ?? '')];
  });
  return Object.fromEntries(channels);
}

test('docs/observability.md lists every channel with every field', () => {
  const rows = [
    ...read('docs/observability.md').matchAll(/^\| `(triforge:[^`]+)` \|.*\| (.*) \|$/gm),
  ];
  const reported = rows.map(([, name = '', fields = '']) => [
    name,
    [...fields.matchAll(/`([^`]+)`/g)].map(([, field]) => field),
  ]);
  expect(Object.fromEntries(reported)).toEqual(declared());
  expect(rows.length).toBeGreaterThan(5);
});

test('the sidebar links to every page in docs/ exactly once', () => {
  const links = sidebar(root).flatMap(function collect({ link, items = [] }): string[] {
    return [...(link === undefined ? [] : [link]), ...items.flatMap(collect)];
  });
  const linked = links.filter((link) => /^\/docs\/[^#]+$/.test(link)).sort();
  const pages = readdirSync(`${root}docs`, { recursive: true, encoding: 'utf8' })
    .filter((name) => /^(?!index|\.).*\.md$/.test(name))
    .map((name) => `/docs/${name.slice(0, -'.md'.length)}`);
  expect(linked).toEqual(pages.sort());
});
