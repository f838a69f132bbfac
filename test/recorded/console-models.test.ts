import { describe, expect, it } from 'vitest';
import * as models from '../../src/console/index.js';
import { MaintenanceStatusWire } from '../../src/console/models/status.js';
import { defineList, findIssues, fits, type Model } from '../../src/schema/model.js';
import * as trees from '../contract/support-console-trees.js';
import { type Held, heldFields, replaced, type Tree } from '../contract/tree.js';
import { formatTitle, loadRecordings, recordingsAvailable, recordingsNote } from './recordings.js';

interface ResponseModel {
  readonly model: Model<unknown>;
  readonly tree: Tree;
  readonly list?: true;
}

const keys: ResponseModel = {
  model: defineList(models.AuthorizedKey),
  tree: trees.authorizedKey,
  list: true,
};
const maintenance: ResponseModel = {
  model: MaintenanceStatusWire,
  tree: trees.maintenanceStatus,
};

/** Each operation's response model. Null if the response has no body. */
const responses: Readonly<Record<string, ResponseModel | null>> = {
  'console.start': null,
  'console.upgrade': null,
  'console.configure': null,
  'console.settings.update': null,
  'console.configcheck': { model: models.ConfigurationStatus, tree: trees.configurationStatus },
  'console.settings.get': {
    model: models.ConsoleSettings,
    tree: {
      ...trees.consoleSettings,
      enterprise: { ...trees.consoleSettings.enterprise, ...trees.vendorSettings.enterprise },
    },
  },
  'console.maintenance.get': maintenance,
  'console.maintenance.set': maintenance,
  'console.authorizedKeys.list': keys,
  'console.authorizedKeys.add': keys,
  'console.authorizedKeys.remove': keys,
};

const recordings = loadRecordings('hosting-and-console.ndjson').filter((each) =>
  each.operation?.startsWith('console.'),
);

const cases = recordings.flatMap((recording) => {
  const response = responses[recording.operation ?? ''];
  if (!response) return [];
  const body: unknown = JSON.parse(recording.response.body);
  return [{ title: formatTitle(recording), response, body }];
});

function heldBy({ tree, list }: ResponseModel, body: unknown): Held[] {
  if (!list) return heldFields(tree, body);
  const items = Array.isArray(body) ? body : [];
  return items.flatMap((item, index) => heldFields(tree, item, [index]));
}

describe.skipIf(!recordingsAvailable)(`recorded console responses (${recordingsNote})`, () => {
  it('recordings cover every console operation', () => {
    const operations = new Set(recordings.map(({ operation }) => operation));
    expect(operations).toEqual(new Set(Object.keys(responses)));
  });

  it('recorded responses contain no body if the operation has no model', () => {
    for (const { operation, response } of recordings) {
      if (responses[operation ?? ''] === null) {
        expect(response.body.trim(), operation ?? '').toBe('');
      }
    }
  });

  it.each(cases.map((each) => [each.title, each] as const))(
    'the model accepts the recorded response of %s',
    (_title, { response: { model }, body }) => {
      expect(findIssues(model, body)).toBeUndefined();
      expect(fits(model, body)).toBe(true);
    },
  );

  it.each(cases.map((each) => [each.title, each] as const))(
    'validation reports the path of each field with a wrong type in %s',
    (_title, { response, body }) => {
      const held = heldBy(response, body);
      expect(held.length).toBeGreaterThan(0);
      for (const { path, leaf } of held) {
        for (const wrong of trees.wrongFor(path, leaf)) {
          const issues = findIssues(response.model, replaced(body, path, wrong));
          expect(
            issues?.map((issue) => issue.path),
            `${path.join('.')} = ${JSON.stringify(wrong)}`,
          ).toEqual([path]);
        }
      }
    },
  );
});
