import { readdirSync, readFileSync, statSync } from 'node:fs';
import { homedir, tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { describeProblem, linkProblems, readDocuments } from '../../test/docs/documents.js';

const allowed =
  /^(dist\/.+\.(js|cjs|d\.ts|d\.cts)|dist\/testing\/page\/[a-z]+\.(html|css)|skills\/triforge\/SKILL\.md|dist\/zod-license\.txt|docs\/[a-z-]+\.(md|svg)|examples\/[a-z-]+\.ts|openapi\/[a-z]+\.json|package\.json|[A-Z]+(\.md)?)$/;

/**
 * Returns the problems of a package that is installed in a project without other packages.
 * @param repository path that must not appear in the package.
 */
export function contentProblems(project: string, repository: string): string[] {
  const installed = join(project, 'node_modules/triforge');
  const problems = linkProblems(installed, readDocuments(installed)).map(describeProblem);
  const files = listFiles(installed);
  for (const file of files) {
    if (!allowed.test(file)) problems.push(`${file}: must not be in the package`);
    const text = readFileSync(join(installed, file), 'utf8');
    const places = [repository, homedir(), tmpdir()].filter((place) => text.includes(`${place}/`));
    problems.push(...places.map((place) => `${file}: contains ${place}, a local path`));
    const code = text.replaceAll(/\/\*[\s\S]*?\*\/|\/\/.*/g, '');
    if (/^dist\/(?!schemas\/).*\.d\.c?ts$/.test(file) && /zod/i.test(code))
      problems.push(`${file}: the published types mention zod`);
  }
  const modules = join(project, 'node_modules');
  const bytes = listFiles(modules).reduce(
    (sum, file) => sum + statSync(join(modules, file)).size,
    0,
  );
  if (bytes > 14e6) problems.push(`node_modules: ${bytes} bytes, expected at most 14 MB`);
  return problems;
}

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)));
}
