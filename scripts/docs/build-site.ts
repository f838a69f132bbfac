// Builds the site of the documents into site/: guides, examples, the API by its docstrings, a search.
// `npm run docs`; a warning (a link that leads nowhere, a type that is not exported) fails it.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Application } from 'typedoc';
import { writePages } from './site-pages.js';
import { tweak } from './site-tweaks.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const families = ['hosting', 'support', 'console', 'webhooks', 'testing'];

async function build(folder: string): Promise<void> {
  const { readme, documents } = writePages(root, folder);
  const app = await Application.bootstrap({
    name: 'triforge',
    tsconfig: join(root, 'tsconfig.docs.json'),
    entryPoints: ['index', ...families.map((name) => `${name}/index`)].map((name) =>
      join(root, 'src', `${name}.ts`),
    ),
    readme,
    projectDocuments: [...documents],
    out: join(root, 'site'),
    favicon: join(root, 'scripts', 'docs', 'favicon.svg'),
    customCss: join(root, 'scripts', 'docs', 'site.css'),
    // The types are checked by themselves; a program in the making still has documents.
    skipErrorChecking: true,
    // Its page leaves out those who are linked to it.
    includeHierarchySummary: false,
    preservedTypeAnnotationTags: ['@throws'],
    disableSources: true,
    hideGenerator: true,
    excludePrivate: true,
    excludeInternal: true,
    searchInDocuments: true,
    sortEntryPoints: false,
    includeVersion: true,
    groupOrder: ['Guides', 'Contributing', 'Examples', 'Modules', '*'],
    navigation: { includeGroups: true, includeCategories: false, includeFolders: false },
    highlightLanguages: ['typescript', 'javascript', 'bash', 'json', 'text', 'markdown'],
    validation: { invalidLink: true, notExported: true, invalidPath: true },
    // Parts of signatures that are no use by themselves.
    intentionallyNotExported: ['Part', 'TemplateScalar', 'Family', 'FamilyRequest', 'Loose'],
  });
  tweak(app);
  const project = await app.convert();
  if (!project) throw new Error('the sources do not compile');
  app.validate(project);
  await app.generateOutputs(project);
  if (app.logger.hasErrors() || app.logger.hasWarnings()) {
    throw new Error('the site has warnings, which count as failures');
  }
}

const folder = mkdtempSync(join(tmpdir(), 'triforge-docs-'));
try {
  await build(folder);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
