import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { readDocuments } from './documents.js';

/** Guides in the order of a reader's way; what is not named here follows, by its name. */
const order = [
  'start',
  'auth',
  'pagination',
  'error-handling',
  'errors',
  'limits-and-retries',
  'caching',
  'uploads-and-downloads',
  'webhooks',
  'oauth',
  'support',
  'appliance',
  'testing',
  'proxies-and-tls',
  'observability',
  'coming-from-octokit',
  'benchmarks',
];

/** What is for those who work on the package. */
const inner = ['docs/architecture.md', 'docs/mutation.md', 'CONTRIBUTING.md', 'CHANGELOG.md'];

/** The pages of the site that are not made from the sources, by their paths in the folder they were put in. */
export interface SitePages {
  readonly readme: string;
  readonly documents: readonly string[];
}

/**
 * Copies guides and examples into an empty folder, as the site's generator wants them: a title and a
 * group at the head, examples as pages of their own, and links to them led there.
 */
export function writePages(root: string, folder: string): SitePages {
  mkdirSync(join(folder, 'examples'), { recursive: true });
  mkdirSync(join(folder, 'docs'), { recursive: true });
  for (const name of readdirSync(join(root, 'docs'))) {
    if (!/\.(svg|png)$/.test(name)) continue;
    writeFileSync(join(folder, 'docs', name), readFileSync(join(root, 'docs', name)));
  }
  const documents = readDocuments(root);
  const readme = documents.find(({ path }) => path === 'README.md');
  if (!readme) throw new Error('there is no README.md');
  // The site has its name at the head already.
  writeFileSync(join(folder, 'README.md'), marked(readme.text.replace(/^# .*\n/, '')));
  const guides = documents.filter(({ path }) => path !== 'README.md');
  for (const { path, text } of guides) {
    const [, title = ''] = /^# (.+)$/m.exec(text) ?? [];
    const group = inner.includes(path) ? 'Contributing' : 'Guides';
    const led = marked(text).replaceAll(
      /\]\(\.\.\/examples\/([\w-]+)\.ts\)/g,
      '](../examples/$1.md)',
    );
    writePage(folder, path, title, group, led);
  }
  const examples = readdirSync(join(root, 'examples')).filter((name) => name.endsWith('.ts'));
  for (const name of examples) {
    const code = readFileSync(join(root, 'examples', name), 'utf8');
    const path = `examples/${basename(name, '.ts')}.md`;
    writePage(folder, path, basename(name, '.ts'), 'Examples', exampleText(name, code));
  }
  const placeOf = (path: string) => {
    const place = order.indexOf(basename(path, '.md'));
    return inner.includes(path) ? order.length + 1 : place < 0 ? order.length : place;
  };
  const sorted = guides.map(({ path }) => path).sort((a, b) => placeOf(a) - placeOf(b));
  const pages = [...sorted, ...examples.map((name) => `examples/${basename(name, '.ts')}.md`)];
  return {
    readme: join(folder, 'README.md'),
    documents: pages.map((path) => join(folder, path)),
  };
}

/** A block without a language is text: the generator takes it for TypeScript. */
function marked(text: string): string {
  let open = false;
  return text.replaceAll(/^(\s*```)(.*)$/gm, (_, fence: string, language: string) => {
    open = !open;
    return fence + (open && language === '' ? 'text' : language);
  });
}

function writePage(folder: string, path: string, title: string, group: string, text: string) {
  const head = `---\ntitle: ${JSON.stringify(title)}\ngroup: ${group}\n---\n\n`;
  writeFileSync(join(folder, path), head + text);
}

/** The comment at the head of an example says what it shows: as text, before the code. */
function exampleText(name: string, code: string): string {
  const lines = code.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('//'));
  const told = lines.slice(0, end).map((line) => line.replace(/^\/\/ ?/, ''));
  const said = told.join('\n').replaceAll('<', '&lt;');
  return `# examples/${name}\n\n${said}\n\n\`\`\`ts\n${lines.slice(end).join('\n')}\`\`\`\n`;
}
