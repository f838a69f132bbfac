import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import { clientMethods } from '../../scripts/docs/client-methods.js';
import { endpointPages } from '../../scripts/docs/endpoint-pages.js';
import { methodDocs, sourceProgram } from '../../scripts/docs/source-docs.js';

const root = fileURLToPath(new URL('../..', import.meta.url));
const read = (path: string) => readFileSync(`${root}docs/${path}`, 'utf8');
const { list, resources } = await endpointPages(root);
const docs = methodDocs(sourceProgram(root));
const methods = clientMethods();

test('docs/endpoints.md matches the output of `npm run docs:endpoints`', () => {
  expect(read('endpoints.md')).toBe(list);
});

test('docs/resources/ matches the output of `npm run docs:endpoints`', () => {
  expect(new Set(readdirSync(`${root}docs/resources`))).toEqual(new Set(resources.keys()));
  for (const [file, text] of resources) expect(read(`resources/${file}`), file).toBe(text);
});

test.each(['docs/endpoints.md', 'docs/resources/'])(
  '%s contains the method and path of every declared endpoint',
  (place) => {
    const text = place === 'docs/resources/' ? [...resources.values()].join('\n') : list;
    const declared = methods.flatMap(({ endpoint }) => endpoint ?? []);
    expect(declared.length).toBeGreaterThan(110);
    const missing = declared.filter(
      ({ method, path }) => !text.includes(`\`${line(method, path)}\``),
    );
    expect(missing).toEqual([]);
  },
);

test('docs/resources/ contains an example of each JSON response in the hosting API', () => {
  const sections = [...resources.values()].flatMap((text) =>
    text.split(/^(?=## hosting\.)/m).slice(1),
  );
  const bare = sections.filter(
    (text) =>
      !text.includes('```json') && !/\*\*Returns:\*\* (?:nothing|`true`|`Readable`)/.test(text),
  );
  expect(bare.map((text) => /^## (.*)/.exec(text)?.[1])).toEqual([]);
});

test('docs/resources/ contains no unresolved links to error classes', () => {
  const text = [...resources.values()].join('\n');
  const lines = text.split('\n').filter((each) => each.startsWith('- **Errors:**'));
  expect(lines.filter((each) => /Error}/.test(each))).toEqual([]);
});

test("each client method's docstring starts with the route of its endpoint", () => {
  const wrong = methods.flatMap(({ name, className, method, endpoint }) => {
    const reported = docs.get(`${className}.${method}`)?.http;
    if (endpoint === undefined) return [];
    const sent = line(endpoint.method, endpoint.path);
    return reported === sent ? [] : [`${name}: ${reported}, sends ${sent}`];
  });
  expect(wrong).toEqual([]);
});

test('every client method has a description, and an example if it calls an endpoint', () => {
  const wrong = methods.flatMap(({ name, className, method }) => {
    const found = docs.get(`${className}.${method}`);
    if (!found?.text) return [`${name}: no sentence`];
    const example = found.tags.some((tag) => tag.name === 'example');
    return found.http && !example ? [`${name}: no example`] : [];
  });
  expect(wrong).toEqual([]);
});

/** Returns an endpoint's method and path in the format of docstrings. */
function line(method: string, path: string): string {
  return `${method} ${path.replaceAll(/\{\/(\w+)\*?\}/g, '/{$1}')}`;
}
