import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '');
const file = `${root}/src/hover.ts`;
const program = `
import { HostingClient, PullRequest } from './hosting/index.js';
import { isTriforgeError } from './index.js';
const hosting = new HostingClient({ baseUrl: 'https://code.test/' });
hosting.pulls.get({ owner: 'acme', repo: 'rocket', number: 1 }, {  });
hosting.downloads.list({ owner: 'acme', repo: 'rocket' });
hosting.pulls.list({ owner: 'acme', repo: 'rocket' });
hosting.releases.downloadAsset({ owner: 'acme', repo: 'rocket', id: 1 }, { to: 'rocket.zip' });
hosting.commitComments.get({ owner: 'acme', repo: 'rocket', id: 1 });
try {} catch (error) { if (isTriforgeError(error)) error.code; }
hosting.pulls.get(
  { owner: 'acme', repo: 'rocket', number: 1 },
  { validation: 'warn' },
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
  ])("the editor's hover text shows the signature of %s in `%s`", (word, from, type) => {
    expect(hover(word, from).type).toBe(type);
  });

  it("the editor's hover text shows the deprecated tag and docstring of a deprecated resource", () => {
    const { text, tags } = hover('downloads', 'hosting.downloads');
    expect(text).toMatch(/^Files offered/);
    expect(tags).toContain('deprecated');
  });

  it("the editor's hover text for a download to a file shows the type of the result", () => {
    expect(hover('downloadAsset', 'hosting.releases').type).toContain('Call<DownloadedFile>');
  });

  it("the editor's hover text for a call without mediaType shows the default variant", () => {
    expect(hover('get', 'hosting.commitComments').type).toContain('get<"raw">');
  });

  it("the editor's hover text for error.code shows the codes and one line of documentation", () => {
    const { type, text } = hover('code', 'error.code');
    expect(type).toContain('"unexpected_status" | "bad_request"');
    expect(text).toBe('Code of the error class.');
  });

  it("the editor's hover text for as() and `validation` contains their docstrings", () => {
    expect(hover('as(PullRequest', 'hosting.releases').text).toMatch(
      /^Validates the response with/,
    );
    expect(hover('validation:', 'hosting.releases').text).toMatch(
      /^What to do if the response doesn't match its model/,
    );
  });
});

it('an editor shows the docstring of `validation` when it completes the options of a call', () => {
  const at = program.indexOf('{  }') + 2;
  const found = service.getCompletionEntryDetails(
    file,
    at,
    'validation',
    {},
    undefined,
    {},
    undefined,
  );
  expect(ts.displayPartsToString(found?.documentation)).toMatch(/^What to do if the response/);
});
