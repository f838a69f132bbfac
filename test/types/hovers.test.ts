import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { expect, it } from 'vitest';

const root = fileURLToPath(new URL('../..', import.meta.url));
const program = `${root}test/types/hovers-program.ts`;
/** Program with a `^` after each name whose hover text is tested. */
const marked = `
import { HostingClient, isTriforgeError } from '../../src/index.js';
declare const hosting: HostingClient;
const repo = { owner: 'acme', repo: 'rocket' };
hosting.releases.downloadAsset^({ ...repo, id: 1 }, { to: 'rocket.zip' });
hosting.commitComments.get^({ ...repo, id: 1 });
try {} catch (error) { if (isTriforgeError(error)) error.code^; }
`;
const parts = marked.split('^');
const positions = parts.slice(0, -1).map((_, index) => parts.slice(0, index + 1).join('').length);
const text = parts.join('');
const options: ts.CompilerOptions = {
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2023,
  strict: true,
  types: ['node'],
  skipLibCheck: true,
};
const service = ts.createLanguageService({
  getCompilationSettings: () => options,
  getScriptFileNames: () => [program],
  getScriptVersion: () => '1',
  getScriptSnapshot: (path) => {
    const read = path === program ? text : ts.sys.readFile(path);
    return read === undefined ? undefined : ts.ScriptSnapshot.fromString(read);
  },
  getCurrentDirectory: () => root,
  getDefaultLibFileName: ts.getDefaultLibFilePath,
  fileExists: (path) => path === program || ts.sys.fileExists(path),
  readFile: ts.sys.readFile,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
});
const [download = '', comment = '', code = ''] = positions.map((position) => {
  const info = service.getQuickInfoAtPosition(program, position - 1);
  return [info?.displayParts, info?.documentation].map(ts.displayPartsToString).join('\n').trim();
});

it('the hover of downloadAsset with `to` shows the request and the type of the result', () => {
  expect(download).toContain(
    'Call<DownloadedFile>\n`GET /repos/{owner}/{repo}/releases/assets/{id}`',
  );
});

it('the hover of a call without mediaType shows the default variant', () => {
  expect(comment).toContain('get<"raw">');
});

it('the hover of error.code has one line of documentation', () => {
  expect(code).toContain('"unexpected_status" | "bad_request"');
  expect(code.split('\n').slice(1)).toEqual(['Code of the error class.']);
});
