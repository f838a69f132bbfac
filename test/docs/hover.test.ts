import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, test } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const file = `${root}/src/hover.ts`;
const program = `
import { endpoint, filledText, optional, flag } from './extend/index.js';
import { HostingClient, PullRequest } from './hosting/index.js';
const hosting = new HostingClient({ baseUrl: 'https://code.test/' }).extend({
  /** Issues. */
  issues: {
    /** Lists what is open. */
    list: endpoint({
      path: '/issues/{owner}',
      input: {
        /** Who has them. */
        owner: filledText,
        /** Only locked ones. */
        locked: optional(flag),
      },
      paginate: 'link',
    }),
  },
});
hosting.issues.list({ owner: 'acme', locked: true }, {  });
hosting.pulls.get({ owner: 'acme', repo: 'rocket', number: 1 }, {  });
hosting.downloads.list({ owner: 'acme', repo: 'rocket' });
hosting.pulls.get(
  { owner: 'acme', repo: 'rocket', number: 1 },
  { extra: { query: { draft: true } }, schema: PullRequest },
);
`;

/** An editor's view of the program. */
function editor(): ts.LanguageService {
  const { options } = ts.parseJsonConfigFileContent(
    ts.readConfigFile(`${root}/tsconfig.json`, ts.sys.readFile).config,
    ts.sys,
    root,
  );
  return ts.createLanguageService({
    getCompilationSettings: () => options,
    getScriptFileNames: () => [file],
    getScriptVersion: () => '1',
    getScriptSnapshot: (name) => {
      const text = name === file ? program : ts.sys.readFile(name);
      return text === undefined ? undefined : ts.ScriptSnapshot.fromString(text);
    },
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: (name) => (name === file ? program : ts.sys.readFile(name)),
    getCurrentDirectory: () => root,
    getDefaultLibFileName: ts.getDefaultLibFilePath,
  });
}

const service = editor();

test('hover shows what is said of an own method, and of its inputs', () => {
  const hover = (word: string) => {
    const at = program.indexOf(word, program.indexOf('hosting.issues.list'));
    const found = service.getQuickInfoAtPosition(file, at);
    return ts.displayPartsToString(found?.documentation);
  };
  expect(hover('issues')).toBe('Issues.');
  expect(hover('list')).toBe('Lists what is open.');
  expect(hover('owner')).toBe('Who has them.');
  expect(hover('locked')).toBe('Only locked ones.');
});

test.for(['hosting.issues.list', 'hosting.pulls.get'])(
  'the options of %s are offered with what is said of extra and schema',
  (method) => {
    const at = program.indexOf('{  }', program.indexOf(method)) + 2;
    const said = (name: string) => {
      const found = service.getCompletionEntryDetails(file, at, name, {}, undefined, {}, undefined);
      return ts.displayPartsToString(found?.documentation);
    };
    expect(said('extra')).toMatch(/^Inputs that the server knows and the method does not/);
    expect(said('schema')).toMatch(/^Any Standard Schema/);
  },
);

test.for(['extra', 'schema'])('hover of %s, where it is given, says what it is', (name) => {
  const at = program.indexOf(`${name}:`, program.lastIndexOf('hosting.pulls.get'));
  const found = service.getQuickInfoAtPosition(file, at);
  expect(ts.displayPartsToString(found?.documentation)).toMatch(
    /^(Inputs that the server|Any Standard)/,
  );
});

test('what is deprecated is said to be, also where more is said of it', () => {
  const found = service.getQuickInfoAtPosition(file, program.indexOf('downloads'));
  expect(ts.displayPartsToString(found?.documentation)).toMatch(/^Files offered/);
  expect(found?.tags?.map(({ name }) => name)).toContain('deprecated');
});
