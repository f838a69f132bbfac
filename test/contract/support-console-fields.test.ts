import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import * as trees from './support-console-trees.js';
import { getNames, type Tree } from './tree.js';

const contractFile = fileURLToPath(new URL('../../../shared/spec/service.md', import.meta.url));
const contractAvailable = existsSync(contractFile);
const contractNote = contractAvailable ? 'read' : 'skipped: there is no ../shared/spec/service.md';

/**
 * Expected fields under each heading. A nested resource's fields are listed only under its own
 * heading.
 */
const resources: Readonly<Record<string, Tree>> = {
  'Configuration status': trees.configurationStatus,
  'Maintenance status': trees.maintenanceStatus,
  'Authorized SSH key (console)': trees.authorizedKey,
  'Contact (support API)': { ...trees.contact, profiles: 'strings' },
  'Profile (channel identity of a contact)': trees.profile,
  'Case (support API)': { ...trees.supportCase, contact: 'object' },
};

/** Returns the text below a heading, up to the next heading. */
function findSection(heading: string): string {
  const text = readFileSync(contractFile, 'utf8');
  const from = text.indexOf(`### ${heading}`);
  if (from < 0) throw new Error(`the contract has no heading '${heading}'`);
  const body = text.indexOf('\n', from);
  const to = text.slice(body).search(/^##/m);
  return text.slice(body, to < 0 ? undefined : body + to);
}

/** Returns the first cells of table rows and words in backticks. */
function namesIn(section: string): Set<string> {
  const rows = [...section.matchAll(/^\| ([\w, ]+) \|/gm)].flatMap((row) =>
    (row[1] ?? '').split(', '),
  );
  const marked = [...section.matchAll(/`([\w-]+)`|`\{(.+?)\}`/g)].flatMap((mark) =>
    // Braces contain names with types, such as `{name: string, number: integer}`.
    mark[2] === undefined
      ? [mark[1] ?? '']
      : mark[2].split(', ').map((field) => field.split(':')[0] ?? ''),
  );
  return new Set([...rows, ...marked].filter((name) => name !== 'Field' && !name.includes(' ')));
}

describe.skipIf(!contractAvailable)(
  `the contract's support and console tables (${contractNote})`,
  () => {
    it.each(Object.entries(resources))(
      'the contract lists exactly the tested fields of %s',
      (heading, tree) => {
        expect(namesIn(findSection(heading))).toEqual(getNames(tree));
      },
    );

    it('the contract lists exactly the tested groups of settings and their fields', () => {
      const rows = findSection('Console settings').matchAll(/^\| (\w+) \| (.+) \|$/gm);
      const groups = [...rows].flatMap(([, group = '', cell = '']) => {
        if (group === 'Object') return [];
        // Example: `host, base (array), seats integer, … (nullable strings except storage)`
        const fields = cell.replace(/\(.*?\)/g, '').split(',');
        return [[group, new Set(fields.map((field) => field.trim().split(' ')[0]))]];
      });
      const known = Object.entries(trees.settingsGroups).map(([group, tree]) => [
        group,
        new Set(Object.keys(tree)),
      ]);
      expect(Object.fromEntries(groups)).toEqual(Object.fromEntries(known));
    });

    it('the contract lists exactly the tested scalar settings', () => {
      const [prose = ''] = findSection('Console settings').split('| Object |');
      const known = ['enterprise', 'run_list', ...Object.keys(trees.settingsScalars)];
      expect(namesIn(prose)).toEqual(new Set(known));
    });
  },
);
