import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const file = `${root}/src/hover.ts`;
const program = `
import { endpoint, filledText, optional, flag } from './extend/index.js';
import { HostingClient, PullRequest } from './hosting/index.js';
const hosting = new HostingClient({ baseUrl: 'https://code.test/' }).extend({
  /** Issues. */
  issues: {
    /** Lists open issues. */
    list: endpoint({
      path: '/issues/{owner}',
      input: {
        /** Owner of the issues. */
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
hosting.pulls.list({ owner: 'acme', repo: 'rocket' });
hosting.releases.downloadAsset({ owner: 'acme', repo: 'rocket', id: 1 });
hosting.pulls.get(
  { owner: 'acme', repo: 'rocket', number: 1 },
  { extra: { query: { draft: true } } },
).as(PullRequest);
`;

/** Creates a language service for the program. */
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

/** Returns the text that an editor shows for the first occurrence of `word` after `from`. */
function hover(word: string, from: string) {
  const found = service.getQuickInfoAtPosition(file, program.indexOf(word, program.indexOf(from)));
  return {
    type: ts.displayPartsToString(found?.displayParts).replace(/\s+/g, ' '),
    text: ts.displayPartsToString(found?.documentation),
    tags: found?.tags?.map(({ name }) => name),
  };
}

describe('editor hover text', () => {
  it.each([
    [
      'list',
      'hosting.pulls.list(',
      '(method) Pulls.list(input: ListPulls, options?: HostingListOptions): Paginated<PullRequest>',
    ],
    [
      'get',
      'hosting.pulls.get(',
      '(method) Pulls.get(input: PullInput, options?: HostingRequestOptions): JsonCall<PullRequest>',
    ],
    [
      'downloadAsset',
      'hosting.releases',
      '(method) Releases.downloadAsset(input: RepoIdInput, options?: HostingDownloadOptions & AsStream): Call<Stream.Readable> (+4 overloads)',
    ],
    [
      'list',
      'hosting.issues.list(',
      '(property) list: (input: { readonly owner: string; readonly locked?: boolean | undefined; }, options?: (AuthOptions<HostingAuth> & ListOptions) | undefined) => Paginated<unknown>',
    ],
  ])(
    "the editor's hover text shows the signature of %s in `%s` without type parameters",
    (word, from, type) => {
      expect(hover(word, from).type).toBe(type);
    },
  );

  it("the editor's hover text shows the docstrings of a custom endpoint and its inputs", () => {
    const from = 'hosting.issues.list';
    expect(hover('issues', from).text).toBe('Issues.');
    expect(hover('list', from).text).toBe('Lists open issues.');
    expect(hover('owner', from).text).toBe('Owner of the issues.');
    expect(hover('locked', from).text).toBe('Only locked ones.');
  });

  it("the editor's hover text shows the deprecated tag and docstring of a deprecated resource", () => {
    const { text, tags } = hover('downloads', 'hosting.downloads');
    expect(text).toMatch(/^Files offered/);
    expect(tags).toContain('deprecated');
  });
});

describe('`extra` docstring', () => {
  const docstring = /^Parameters that the server accepts but the method/;

  it.each(['hosting.issues.list', 'hosting.pulls.get'])(
    'the docstring of `extra` appears when an editor completes the options of %s',
    (method) => {
      const at = program.indexOf('{  }', program.indexOf(method)) + 2;
      const found = service.getCompletionEntryDetails(
        file,
        at,
        'extra',
        {},
        undefined,
        {},
        undefined,
      );
      expect(ts.displayPartsToString(found?.documentation)).toMatch(docstring);
    },
  );

  it('the docstring of `extra` appears in the hover text for the option in a call', () => {
    expect(hover('extra:', 'hosting.releases').text).toMatch(docstring);
  });
});

it("the editor's hover text for as() contains its docstring", () => {
  expect(hover('as(PullRequest', 'hosting.releases').text).toMatch(/^Validates the response with/);
});
