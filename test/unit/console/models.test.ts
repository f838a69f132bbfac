import { describe, expect, it } from 'vitest';
import * as models from '../../../src/console/index.js';
import { MaintenanceStatusWire, toMaintenanceStatus } from '../../../src/console/models/status.js';
import { findIssues, fits, isModel, type Model } from '../../../src/schema/model.js';
import {
  authorizedKey,
  configurationStatus,
  consoleSettings,
  maintenanceStatus,
  sampleOf,
  vendorSettings,
  wrongFor,
} from '../../contract/support-console-trees.js';
import { heldFields, replaced, type Tree } from '../../contract/tree.js';

const resources: readonly {
  readonly name: string;
  readonly model: Model<unknown>;
  readonly tree: Tree;
}[] = [
  { name: 'ConsoleSettings', model: models.ConsoleSettings, tree: consoleSettings },
  {
    name: 'ConsoleSettings with vendor-specific keys',
    model: models.ConsoleSettings,
    tree: vendorSettings,
  },
  { name: 'ConfigurationStatus', model: models.ConfigurationStatus, tree: configurationStatus },
  { name: 'MaintenanceStatus', model: MaintenanceStatusWire, tree: maintenanceStatus },
  { name: 'AuthorizedKey', model: models.AuthorizedKey, tree: authorizedKey },
];

describe('Management Console models', () => {
  const named = resources.map((each) => [each.name, each] as const);
  it.each(named)('%s accepts a sample that contains every field', (_name, { model, tree }) => {
    expect(findIssues(model, sampleOf(tree))).toBeUndefined();
  });

  it.each(named)(
    '%s reports the path of each field with a wrong type',
    (_name, { model, tree }) => {
      const sample = sampleOf(tree);
      for (const { path, leaf } of heldFields(tree, sample)) {
        for (const wrong of wrongFor(path, leaf)) {
          const issues = findIssues(model, replaced(sample, path, wrong));
          expect(
            issues?.map((issue) => issue.path),
            `${path.join('.')} = ${JSON.stringify(wrong)}`,
          ).toEqual([path]);
        }
      }
    },
  );

  it('ConsoleSettings reports the index of an invalid list item', () => {
    const sample = sampleOf(consoleSettings);
    for (const path of [['run_list'], ['enterprise', 'ldap', 'base']]) {
      const issues = findIssues(models.ConsoleSettings, replaced(sample, path, ['ok', 42]));
      expect(issues?.map((issue) => issue.path)).toEqual([[...path, 1]]);
    }
  });

  it('ConsoleSettings accepts null or missing settings and groups, except enterprise', () => {
    for (const tree of [consoleSettings, vendorSettings]) {
      const sample = sampleOf(tree);
      for (const { path } of heldFields(tree, sample)) {
        if (path.join('.') === 'enterprise') continue;
        for (const empty of [null, undefined]) {
          const value = replaced(sample, path, empty);
          expect(findIssues(models.ConsoleSettings, value), path.join('.')).toBeUndefined();
        }
      }
    }
    expect(fits(models.ConsoleSettings, { enterprise: {} })).toBe(true);
  });

  it('ConsoleSettings rejects settings without the enterprise group', () => {
    for (const value of [{}, { enterprise: null }, { run_list: [] }]) {
      const issues = findIssues(models.ConsoleSettings, value);
      expect(issues?.map((issue) => issue.path)).toEqual([['enterprise']]);
    }
  });

  it.each(['ldap', 'smtp', 'collectd'])(
    'ConsoleSettings accepts a number or a string as the %s port',
    (group) => {
      for (const port of [0, 389, '389', null]) {
        const value = { enterprise: { [group]: { port } } };
        expect(findIssues(models.ConsoleSettings, value), String(port)).toBeUndefined();
      }
    },
  );

  it('ConsoleSettings keeps unknown groups and settings', async () => {
    const value: unknown = { enterprise: { saml: { sso_url: 'x' }, governor: 1 }, more: true };
    expect(await models.ConsoleSettings['~standard'].validate(value)).toEqual({ value });
  });

  it('the package exports each model under its own name', () => {
    const named = Object.entries(models).flatMap(([name, each]: [string, unknown]) =>
      isModel(each) ? [[name.replace(/Wire$/, ''), each.name]] : [],
    );
    expect(named.length).toBeGreaterThan(20);
    for (const [name, own] of named) expect(own).toBe(name);
  });
});

describe('ConfigurationStatus', () => {
  it.each(['PENDING', 'CONFIGURING', 'DONE', 'FAILED', 'SKIPPED'])(
    'accepts the step status %s',
    (status) => {
      const value = { status: 'running', progress: [{ key: 'Reloading', status }] };
      expect(findIssues(models.ConfigurationStatus, value)).toBeUndefined();
    },
  );

  it("reports a step's missing key and status", () => {
    const value = { status: 'running', progress: [{ key: 'a', status: 'DONE' }, {}] };
    expect(findIssues(models.ConfigurationStatus, value)?.map(({ path }) => path)).toEqual([
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

  it('treats a null scheduled_time or connection_services like a missing field', () => {
    const empty = { status: 'off', scheduled_time: undefined, connection_services: [] };
    for (const wire of [
      { status: 'off' },
      { status: 'off', scheduled_time: null, connection_services: null },
    ]) {
      expect(findIssues(MaintenanceStatusWire, wire)).toBeUndefined();
      expect(toMaintenanceStatus(wire)).toEqual(empty);
    }
  });

  it.each(['many', '', ' ', '-1', '1.5', '0x10', '1e3', '9'.repeat(16)])(
    'rejects the connection count %j',
    (number) => {
      const wire = { status: 'off', connection_services: [{ name: 'git', number }] };
      expect(findIssues(MaintenanceStatusWire, wire)?.map(({ path }) => path)).toEqual([
        ['connection_services', 0, 'number'],
      ]);
    },
  );
});
