import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { clientMethods } from '../../scripts/docs/client-methods.js';
import { endpointList } from '../../scripts/docs/endpoint-list.js';
import { methodDocs, sourceProgram } from '../../scripts/docs/source-docs.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const page = readFileSync(`${root}docs/endpoints.md`, 'utf8');
const docs = methodDocs(sourceProgram(root));
const methods = clientMethods();

test('docs/endpoints.md is up to date with `npm run docs:endpoints`', async () => {
  expect(page).toBe(await endpointList(root));
});

test('docs/endpoints.md contains the method and path of every declared endpoint', () => {
  const declared = methods.flatMap(({ endpoint }) => endpoint ?? []);
  expect(declared.length).toBeGreaterThan(110);
  const missing = declared.filter(
    ({ method, path }) => !page.includes(`\`${line(method, path)}\``),
  );
  expect(missing).toEqual([]);
});

test('the docstring of each method starts with the method and path of its endpoint', () => {
  const wrong = methods.flatMap(({ name, className, method, endpoint }) => {
    const told = docs.get(`${className}.${method}`)?.http;
    if (endpoint === undefined) return [];
    const sent = line(endpoint.method, endpoint.path);
    return told === sent ? [] : [`${name}: ${told}, sends ${sent}`];
  });
  expect(wrong).toEqual([]);
});

test('every method has a description, and every one with an endpoint has an example', () => {
  const wrong = methods.flatMap(({ name, className, method }) => {
    const found = docs.get(`${className}.${method}`);
    if (!found?.text) return [`${name}: no sentence`];
    const example = found.tags.some((tag) => tag.name === 'example');
    return found.http && !example ? [`${name}: no example`] : [];
  });
  expect(wrong).toEqual([]);
});

/** Method and path, as in docstrings. */
function line(method: string, path: string): string {
  return `${method} ${path.replaceAll(/\{\/(\w+)\*?\}/g, '/{$1}')}`;
}
