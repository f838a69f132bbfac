import { openApiDocuments } from '../openapi/document.js';
import { endpointPages } from './endpoint-pages.js';
import { errorList } from './error-list.js';
import { listMethods } from './methods.js';
import { optionList } from './option-list.js';
import { interfaceDocs, sourceProgram } from './source-docs.js';

/** Returns the texts of the files that `npm run docs:generate` writes, by path. */
export async function generateFiles(): Promise<ReadonlyMap<string, string>> {
  const program = sourceProgram();
  const methods = await listMethods(program);
  const types = interfaceDocs(program);
  return new Map([
    ['docs/errors.md', errorList(program)],
    ['docs/options.md', optionList(types)],
    ...endpointPages(methods, types),
    ...openApiDocuments(methods, types),
  ]);
}
