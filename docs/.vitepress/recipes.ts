import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename } from 'node:path';

const folder = new URL('../../examples/', import.meta.url);
const pages = new URL('../../recipes/', import.meta.url);

/** A program in `examples/`. The comment at its start contains a title and Markdown. */
export interface Recipe {
  readonly name: string;
  readonly title: string;
  readonly text: string;
  readonly code: string;
}

/** Returns all programs in `examples/`, sorted by name. */
export function recipes(): Recipe[] {
  const files = readdirSync(folder).filter((file) => file.endsWith('.ts'));
  return files.sort().map((file) => {
    const lines = readFileSync(new URL(file, folder), 'utf8').split('\n');
    const end = lines.findIndex((line) => !line.startsWith('//'));
    const [title = '', ...text] = lines.slice(0, end).map((line) => line.replace(/^\/\/ ?/, ''));
    const code = lines.slice(end).join('\n');
    return { name: basename(file, '.ts'), title, text: text.join('\n'), code };
  });
}

/** Writes a page for each program, because VitePress's search covers only files. */
export function writeRecipes(): void {
  rmSync(pages, { recursive: true, force: true });
  mkdirSync(pages);
  for (const { name, title, text, code } of recipes()) {
    // The comment's commands are indented. Fenced blocks are highlighted.
    const fenced = text.replaceAll(/(?:^ {4}.*\n?)+/gm, (lines) => {
      return `\`\`\`sh\n${lines.replaceAll(/^ {4}/gm, '').trimEnd()}\n\`\`\`\n`;
    });
    const page = `---\naside: false\n---\n\n# ${title}\n${fenced}\n\`\`\`ts\n${code}\`\`\`\n`;
    writeFileSync(new URL(`${name}.md`, pages), page);
  }
}
