import { describe, expect, it } from 'vitest';
import * as z from 'zod';
import * as models from '../../src/hosting/index.js';
import { type Model, ref } from '../../src/schema/model.js';
import { contractAvailable, contractNote, readContract } from './contract-table.js';
import * as fields from './hosting-fields.js';
import { fieldsNamed, getItems, unwrap } from './schema-reader.js';
import { getNames, isList, type Leaf, type Tree } from './tree.js';

/** Models and fields for each heading in the contract's section on resources. */
const resources: Readonly<Record<string, readonly (readonly [Model<unknown>, Tree])[]>> = {
  'User (summary)': [[models.User, fields.user]],
  Authorization: [[models.Authorization, fields.authorization]],
  Team: [
    [models.TeamSummary, fields.teamSummary],
    [models.Team, fields.team],
  ],
  Repository: [[models.Repository, fields.repository]],
  Release: [[models.Release, fields.release]],
  'Release asset': [[models.ReleaseAsset, fields.releaseAsset]],
  'Commit comment': [
    [models.CommitComment, fields.commitComment],
    [models.CommitCommentFull, fields.commitComment],
  ],
  'Git reference': [[models.GitReference, fields.gitReference]],
  'Content entry': [
    [models.ContentEntry, fields.contentEntry],
    [models.ContentFile, fields.contentFile],
    [models.ContentSymlink, fields.contentSymlink],
    [models.ContentSubmodule, fields.contentSubmodule],
  ],
  'Pages site': [[models.PagesSite, fields.pagesSite]],
  'Pages build': [[models.PagesBuild, fields.pagesBuild]],
  'Pull request': [[models.PullRequest, fields.pullRequest]],
  Hook: [[models.Hook, fields.hook]],
  'Download (deprecated)': [[models.Download, fields.download]],
  'Admin statistics': [[models.AdminStats, fields.adminStats]],
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

const leafTypes: Readonly<Record<Leaf, (schema: z.core.$ZodType) => boolean>> = {
  string: (schema) =>
    schema instanceof z.core.$ZodString ||
    (schema instanceof z.core.$ZodLiteral &&
      schema._zod.def.values.every((value) => typeof value === 'string')),
  integer: (schema) => schema instanceof z.core.$ZodNumberFormat,
  boolean: (schema) => schema instanceof z.core.$ZodBoolean,
  strings: (schema) => {
    const item = getItems(schema);
    return item !== undefined && leafTypes.string(item);
  },
  object: (schema) => schema instanceof z.core.$ZodObject,
};

/**
 * Returns the fields of the tree that are missing from the schema, or have a different type in the
 * schema.
 */
function faults(tree: Tree, schema: z.core.$ZodType, path: string): string[] {
  return Object.entries(tree).flatMap(([name, node]) => {
    const here = `${path}.${name}`;
    const found = fieldsNamed(schema, name);
    if (found.length === 0) return [`${here} is not in the model`];
    return found.flatMap((field) => {
      const inner = unwrap(field).schema;
      if (typeof node === 'string') {
        // Servers also send this field as a number. See HookConfig.
        if (name === 'insecure_ssl' && inner instanceof z.core.$ZodUnion) return [];
        return leafTypes[node](inner) ? [] : [`${here} is ${inner._zod.def.type}, not ${node}`];
      }
      if (!isList(node)) return faults(node, inner, here);
      const item = getItems(inner);
      return item ? faults(node[0], item, `${here}[]`) : [`${here} is not an array`];
    });
  });
}

const described = Object.values(resources).flat();

describe('the model field check', () => {
  it.each(described.map(([model, tree]) => ({ name: model.name, model, tree })))(
    "the model $name has the contract's fields and types",
    ({ model, tree }) => {
      expect(faults(tree, ref(model), model.name)).toEqual([]);
    },
  );

  it("the FileCommit model has the fields of a file's commit", () => {
    expect(faults(fields.fileCommit, ref(models.FileCommit), 'FileCommit')).toEqual([]);
  });

  it('the model Repository has the deprecated attributes as optional fields', () => {
    expect(faults(fields.repositoryDeprecated, ref(models.Repository), 'Repository')).toEqual([]);
    for (const name of Object.keys(fields.repositoryDeprecated)) {
      const [field] = fieldsNamed(ref(models.Repository), name);
      expect(field && unwrap(field).optional, name).toBe(true);
    }
  });
});

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

  it.each(Object.keys(resources))(
    'the contract lists exactly the tested fields of %s',
    (heading) => {
      const section = resourceSections().get(heading) ?? '';
      const named = namesIn(section);
      for (const value of values[heading] ?? []) named.delete(value);
      const known = new Set((resources[heading] ?? []).flatMap(([, tree]) => [...getNames(tree)]));
      expect([...named].filter((name) => !known.has(name))).toEqual([]);
      // Nested resources are specified under their own headings.
      const elsewhere = new Set(
        [fields.user, fields.repository, fields.releaseAsset].flatMap((tree) => [
          ...getNames(tree),
        ]),
      );
      expect([...known].filter((name) => !named.has(name) && !elsewhere.has(name))).toEqual([]);
    },
  );
});
