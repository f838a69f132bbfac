import { describe, expect, it } from 'vitest';
import * as appliance from '../../src/console/index.js';
import { MaintenanceStatusWire, toMaintenanceStatus } from '../../src/console/models/status.js';
import { findIssues, fits, isModel, type Model } from '../../src/schema/model.js';
import * as support from '../../src/support/index.js';
import { AuthenticationResponse } from '../../src/support/models/session.js';
import { contractAvailable, contractNote, readContract } from './contract-table.js';
import * as trees from './support-console-trees.js';
import { getNames, heldFields, replaced, type Tree } from './tree.js';

const { contact, profile, sampleOf, supportCase } = trees;

const outcome = { success: 'boolean', statusMessage: 'string' } as const satisfies Tree;

/** Each model, its fields, and its required fields. */
const supportModels: readonly {
  readonly model: Model<unknown>;
  readonly tree: Tree;
  readonly required: readonly string[];
}[] = [
  { model: support.Contact, tree: contact, required: ['id'] },
  { model: support.ContactProfile, tree: profile, required: [] },
  { model: support.ContactNote, tree: contact.notes[0], required: [] },
  { model: support.SupportCase, tree: supportCase, required: ['id'] },
  { model: support.Campaign, tree: supportCase.campaign, required: [] },
  { model: support.Message, tree: { source: 'string', ext_id: 'string' }, required: [] },
  { model: support.TagRecord, tree: { name: 'string' }, required: [] },
  { model: support.Me, tree: { ...outcome, logged_in: 'boolean' }, required: ['logged_in'] },
  {
    model: AuthenticationResponse,
    tree: { ...outcome, access_token: 'string', expires: 'string' },
    required: [],
  },
  {
    model: support.ContactCreated,
    tree: { ...outcome, contact_id: 'integer', data: contact },
    required: [],
  },
  {
    model: support.CaseCreated,
    tree: { ...outcome, case_id: 'integer', data: supportCase },
    required: ['case_id'],
  },
];

const titled = supportModels.map((each) => ({ ...each, name: each.model.name }));

const consoleModels: readonly {
  readonly name: string;
  readonly model: Model<unknown>;
  readonly tree: Tree;
}[] = [
  { name: 'ConsoleSettings', model: appliance.ConsoleSettings, tree: trees.consoleSettings },
  {
    name: 'ConsoleSettings with vendor-specific keys',
    model: appliance.ConsoleSettings,
    tree: trees.vendorSettings,
  },
  {
    name: 'ConfigurationStatus',
    model: appliance.ConfigurationStatus,
    tree: trees.configurationStatus,
  },
  { name: 'MaintenanceStatus', model: MaintenanceStatusWire, tree: trees.maintenanceStatus },
  { name: 'AuthorizedKey', model: appliance.AuthorizedKey, tree: trees.authorizedKey },
];

describe('support and console models', () => {
  it.each([...titled, ...consoleModels])(
    '$name accepts a sample that contains every field',
    ({ model, tree }) => {
      expect(findIssues(model, sampleOf(tree))).toBeUndefined();
    },
  );

  it.each([...titled, ...consoleModels])(
    '$name reports the path of each field with a wrong type',
    ({ model, tree }) => {
      const sample = sampleOf(tree);
      for (const { path, leaf } of heldFields(tree, sample)) {
        for (const wrong of trees.wrongFor(path, leaf)) {
          const issues = findIssues(model, replaced(sample, path, wrong));
          expect(
            issues?.map((issue) => issue.path),
            `${path.join('.')} = ${JSON.stringify(wrong)}`,
          ).toEqual([path]);
        }
      }
    },
  );
});

describe('support API models', () => {
  it('triforge/support exports exactly the models in these tests', () => {
    const known: unknown[] = [support.Tag, ...supportModels.map(({ model }) => model)];
    const exported = [AuthenticationResponse, ...Object.values(support)].filter((each: unknown) =>
      isModel(each),
    );
    expect(new Set(exported)).toEqual(new Set(known));
  });

  it.each(titled)('$name accepts null in every optional field', ({ model, tree, required }) => {
    const sample = sampleOf(tree);
    const neverBlank = new Set([...required, 'id', 'contact_id']);
    for (const { path } of heldFields(tree, sample)) {
      // A nested contact's ID is also required.
      if (neverBlank.has(String(path.at(-1))) && !path.includes('profiles')) continue;
      const where = path.join('.');
      expect(findIssues(model, replaced(sample, path, null)), where).toBeUndefined();
    }
  });

  it.each(titled)('$name reports each missing required field', ({ model, tree, required }) => {
    const sample = sampleOf(tree);
    const least = Object.fromEntries(required.map((name) => [name, sample[name]]));
    expect(findIssues(model, least)).toBeUndefined();
    for (const name of required) {
      const { [name]: _left, ...rest } = sample;
      expect(
        findIssues(model, rest)?.map(({ path }) => path),
        name,
      ).toEqual([[name]]);
    }
  });

  it('Contact and SupportCase keep dynamic attributes', async () => {
    const value: unknown = { id: 1, shoe_size: '42', nested: { any: [1] } };
    expect(await support.Contact['~standard'].validate(value)).toEqual({ value });
    expect(await support.SupportCase['~standard'].validate(value)).toEqual({ value });
  });

  it('Tag accepts a name or a record', () => {
    expect(fits(support.Tag, 'vip')).toBe(true);
    expect(fits(support.Tag, { id: 3, name: 'vip' })).toBe(true);
    expect(findIssues(support.Tag, 42)).toHaveLength(1);
  });
});

describe('Management Console models', () => {
  it('ConsoleSettings reports the index of an invalid list item', () => {
    const sample = sampleOf(trees.consoleSettings);
    for (const path of [['run_list'], ['enterprise', 'ldap', 'base']]) {
      const issues = findIssues(appliance.ConsoleSettings, replaced(sample, path, ['ok', 42]));
      expect(issues?.map((issue) => issue.path)).toEqual([[...path, 1]]);
    }
  });

  it('ConsoleSettings accepts null or missing settings and groups, except enterprise', () => {
    for (const tree of [trees.consoleSettings, trees.vendorSettings]) {
      const sample = sampleOf(tree);
      for (const { path } of heldFields(tree, sample)) {
        if (path.join('.') === 'enterprise') continue;
        for (const empty of [null, undefined]) {
          const value = replaced(sample, path, empty);
          expect(findIssues(appliance.ConsoleSettings, value), path.join('.')).toBeUndefined();
        }
      }
    }
    expect(fits(appliance.ConsoleSettings, { enterprise: {} })).toBe(true);
  });

  it('ConsoleSettings rejects settings without the enterprise group', () => {
    for (const value of [{}, { enterprise: null }, { run_list: [] }]) {
      const issues = findIssues(appliance.ConsoleSettings, value);
      expect(issues?.map((issue) => issue.path)).toEqual([['enterprise']]);
    }
  });

  it.each([0, 389, '389'])('ConsoleSettings accepts the port %j', (port) => {
    expect(fits(appliance.ConsoleSettings, { enterprise: { ldap: { port } } })).toBe(true);
  });

  it('ConsoleSettings keeps unknown groups and settings', async () => {
    const value: unknown = { enterprise: { saml: { sso_url: 'x' }, governor: 1 }, more: true };
    expect(await appliance.ConsoleSettings['~standard'].validate(value)).toEqual({ value });
  });
});

describe('ConfigurationStatus', () => {
  it("reports a step's missing key and status", () => {
    const value = { status: 'running', progress: [{ key: 'a', status: 'DONE' }, {}] };
    expect(findIssues(appliance.ConfigurationStatus, value)?.map(({ path }) => path)).toEqual([
      ['progress', 1, 'key'],
      ['progress', 1, 'status'],
    ]);
  });
});

describe('MaintenanceStatus', () => {
  it('converts connection counts to numbers without changing the response', () => {
    const wire: MaintenanceStatusWire = {
      status: 'scheduled',
      scheduled_time: 'Tuesday, January 22 at 15:34 -0800',
      connection_services: [
        { name: 'git operations', number: '0' },
        { name: 'mysql queries', number: 233 },
        { name: 'resque jobs', number: '0054', ...{ busy: true } },
      ],
      ...{ extra: 1 },
    };
    const before = structuredClone(wire);
    expect(findIssues(MaintenanceStatusWire, wire)).toBeUndefined();
    expect(toMaintenanceStatus(wire)).toEqual({
      status: 'scheduled',
      scheduled_time: 'Tuesday, January 22 at 15:34 -0800',
      connection_services: [
        { name: 'git operations', number: 0 },
        { name: 'mysql queries', number: 233 },
        { name: 'resque jobs', number: 54, busy: true },
      ],
      extra: 1,
    });
    expect(wire, 'the response is unchanged').toEqual(before);
  });

  it('treats a blank scheduled_time or connection_services like a missing field', () => {
    const empty = { status: 'off', scheduled_time: undefined, connection_services: [] };
    for (const wire of [
      { status: 'off' },
      { status: 'off', scheduled_time: null, connection_services: null },
      { status: 'off', scheduled_time: '', connection_services: [] },
    ]) {
      expect(findIssues(MaintenanceStatusWire, wire)).toBeUndefined();
      expect(toMaintenanceStatus(wire)).toEqual(empty);
    }
  });

  it.each(['', '-1', '1.5', '1e3', '9'.repeat(16)])('rejects the connection count %j', (number) => {
    const wire = { status: 'off', connection_services: [{ name: 'git', number }] };
    expect(findIssues(MaintenanceStatusWire, wire)?.map(({ path }) => path)).toEqual([
      ['connection_services', 0, 'number'],
    ]);
  });
});

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
  const text = readContract();
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
