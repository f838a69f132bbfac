import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { exampleNames } from '../.vitepress/sidebar.js';

const root = fileURLToPath(new URL('../..', import.meta.url));

export default {
  paths: () =>
    exampleNames(root).map((name) => {
      const code = readFileSync(join(root, 'examples', `${name}.ts`), 'utf8');
      return { params: { name }, content: page(name, code) };
    }),
};

/** The comment at the head of an example says what it shows: as text, before the code. */
function page(name: string, code: string): string {
  const lines = code.split('\n');
  const end = lines.findIndex((line) => !line.startsWith('//'));
  const said = lines.slice(0, end).map((line) => line.replace(/^\/\/ ?/, ''));
  const text = said.join('\n').replaceAll('<', '&lt;');
  return `# examples/${name}.ts\n\n${text}\n\n\`\`\`ts\n${lines.slice(end).join('\n')}\`\`\`\n`;
}
