import { describe, expect, it } from 'vitest';
import * as models from '../../src/hosting/index.js';
import type { Model } from '../../src/schema/model.js';
import { sampleOf } from '../unit/hosting/samples.js';
import { contractAvailable, contractNote, readContract } from './contract-table.js';

/** Models for each heading in the contract's section on resources. */
const resources: Readonly<Record<string, readonly Model<object>[]>> = {
  'User (summary)': [models.User],
  Authorization: [models.Authorization],
  Team: [models.Team],
  Repository: [models.Repository],
  Release: [models.Release],
  'Release asset': [models.ReleaseAsset],
  'Commit comment': [models.CommitComment],
  'Git reference': [models.GitReference],
  'Content entry': [models.ContentFile, models.ContentSymlink, models.ContentSubmodule],
  'Pages site': [models.PagesSite],
  'Pages build': [models.PagesBuild],
  'Pull request': [models.PullRequest],
  Hook: [models.Hook],
  'Download (deprecated)': [models.Download],
  'Admin statistics': [models.AdminStats],
};

/** Words in backticks under each heading that are values rather than fields. */
const values: Readonly<Record<string, readonly string[]>> = {
  Team: ['pull', 'push', 'admin'],
  Release: ['{?name}'],
  'Git reference': ['refs/', 'commit', 'tag'],
  'Content entry': [
    'file',
    'dir',
    'symlink',
    'submodule',
    'base64',
    'null',
    '_links.git',
    '_links.html',
  ],
  'Pull request': ['{number}'],
  Hook: ['json', 'form', '0', '1'],
};

/** Returns the names of all fields in a value, including nested fields. */
function getNames(value: unknown): string[] {
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap(getNames);
  return Object.entries(value).flatMap(([name, inner]) => [name, ...getNames(inner)]);
}

/**
 * Returns the text under each heading in the contract's section on resources, except the support
 * and console APIs.
 */
function resourceSections(): Map<string, string> {
  const text = readContract();
  const from = text.indexOf('## Resources and their fields');
  const to = text.indexOf('### Console settings');
  const parts = text.slice(from, to).split(/^### /m).slice(1);
  return new Map(
    parts.map((part) => {
      const end = part.indexOf('\n');
      return [part.slice(0, end).trim(), part.slice(end + 1)];
    }),
  );
}

/**
 * Returns the first cells of table rows, words in backticks, and names in braces in the statistics.
 */
function namesIn(section: string): Set<string> {
  const names = new Set<string>();
  for (const line of section.split('\n')) {
    const cell = /^\| ([\w, ]+) \|/.exec(line)?.[1];
    const cells = cell === undefined || cell === 'Field' ? [] : cell.split(', ');
    const marked = [...line.matchAll(/`([^`]+)`/g)].map((match) => match[1] ?? '');
    const braced = [...line.matchAll(/`\w+` \{([\w, ]+)\}/g)].flatMap((match) =>
      (match[1] ?? '').split(', '),
    );
    for (const name of [...cells, ...marked, ...braced]) names.add(name);
  }
  return names;
}

describe.skipIf(!contractAvailable)(`the contract's resource tables (${contractNote})`, () => {
  it('the contract describes exactly the hosting API resources that have a model', () => {
    expect(new Set(resourceSections().keys())).toEqual(new Set(Object.keys(resources)));
  });

  it.each(Object.entries(resources))(
    'the models have every field that the contract lists for %s',
    (heading, described) => {
      const named = namesIn(resourceSections().get(heading) ?? '');
      for (const value of values[heading] ?? []) named.delete(value);
      // `models.test.ts` checks that each sample contains every field of its model.
      const known = new Set(described.flatMap((model) => getNames(sampleOf(model))));
      expect([...named].filter((name) => !known.has(name))).toEqual([]);
    },
  );
});
