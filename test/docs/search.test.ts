import MiniSearch from 'minisearch';
import { expect, test } from 'vitest';
import { miniSearch } from '../../docs/.vitepress/search.js';
import { searchable } from '../../docs/.vitepress/search-index.js';

/** Returns the IDs that a search of these sections finds, best first. */
function search(query: string): string[] {
  const { options, searchOptions } = miniSearch;
  const index = new MiniSearch({ storeFields: ['title', 'titles'], ...options, searchOptions });
  index.addAll([
    section('/api/hosting/Contents#delete', 'delete()', ['Contents'], 'Deletes a file.'),
    section('/api/hosting/Releases#updateasset', 'updateAsset()', ['Releases'], 'Renames it.'),
    section('/api/hosting/Releases#deleteasset', 'deleteAsset()', ['Releases'], 'Deletes it.'),
    section('/docs/errors#conflicterror', 'ConflictError', ['Error reference'], 'Read it again.'),
    section('/api/hosting/Teams#delete', 'delete()', ['Teams'], 'Deletes it. Needs no file.'),
    section('/docs/errors#redirecterror', 'RedirectError', ['Error reference'], 'No conflict.'),
    section('/docs/tls#codes', 'Codes', ['TLS'], 'CERT_HAS_EXPIRED has a date.'),
    section('/docs/connect#errors', 'Connection errors', [], 'See ECONNREFUSED.'),
    {
      ...section('/docs/start#start', 'Start', [], ''),
      text: 'Search words: hello world, demo\nRun it.',
    },
  ]);
  return index.search(query).map(({ id }) => String(id));
}

function section(id: string, title: string, titles: readonly string[], text: string) {
  return { id, title, titles, text: `\nDELETE /repos\n${text}\n` };
}

test.each([
  ['the words of a method and its object', 'delete file', '/api/hosting/Contents#delete'],
  ['another verb for an update', 'rename asset', '/api/hosting/Releases#updateasset'],
  ['the words of a method in any order', 'asset delete', '/api/hosting/Releases#deleteasset'],
  ['the words of a class name', 'conflict error', '/docs/errors#conflicterror'],
  ['an unknown code by its parts', 'ERR_CERT_INVALID', '/docs/tls#codes'],
  ['a search word', 'demo', '/docs/start#start'],
  ['a phrase of search words', 'world hello', '/docs/start#start'],
  ['a pasted connection error', 'connect ECONNREFUSED 127.0.0.1:443', '/docs/connect#errors'],
  ['the start of the last word', 'connection err', '/docs/connect#errors'],
])('a documentation search for %s (%s) finds %s first', (_, query, expected) => {
  expect(search(query)[0]).toBe(expected);
});

test('a documentation search that consists of stop words finds nothing', () => {
  expect(search('how do I')).toEqual([]);
});

test('searchable() adds search words below the headings of a page and its sections', () => {
  const page = '# Getting started\n\nHi.\n\n## Install\n\nRun npm.\n';
  const lines = searchable('docs/start.md', page).split(/\n+/);
  expect(lines[1]).toMatch(/^Search words: hello world, /);
  expect(lines[2]).toBe('Hi.');
  expect(lines[4]).toMatch(/^Search words: .*npm i triforge/);
  expect(searchable('docs/other.md', page)).toBe(page);
});

test('searchable() keeps guides and empties resource pages', () => {
  const page = '# Hooks\n\n```ts\ncode\n```\n\nPings a hook.\n\n- **Retried:** yes\n';
  expect(searchable('api/hosting/Other.md', page).trim()).toBe('Pings a hook.');
  expect(searchable('docs/other.md', page)).toBe(page);
  expect(searchable('docs/resources/hooks.md', page)).toBe('');
});
