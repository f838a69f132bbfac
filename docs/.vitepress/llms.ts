import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefaultTheme } from 'vitepress';

/** A page of the site, with its Markdown. */
interface SourcePage {
  readonly title: string;
  readonly path: string;
  readonly text: string;
}

/** Reads each page that a sidebar links to once. Excludes the generated pages in `api/`. */
export function sourcePages(
  root: string,
  items: readonly DefaultTheme.SidebarItem[],
): SourcePage[] {
  const links = items.flatMap(function collect({ link, items: inner = [] }): string[] {
    return [...(link ? [link.replace(/#.*/, '')] : []), ...inner.flatMap(collect)];
  });
  return [...new Set(links)]
    .filter((link) => link.startsWith('/docs/'))
    .map((link) => {
      const path = `${link.slice(1)}.md`;
      const text = readFileSync(join(root, path), 'utf8').replaceAll(/<!--[\s\S]*?-->\n*/g, '');
      return { title: /^# (.+)$/m.exec(text)?.[1] ?? link, path, text };
    });
}

/** Formats the index of https://llmstxt.org: one link for each page. */
export function formatIndex(
  title: string,
  description: string,
  pages: readonly SourcePage[],
): string {
  const lines = pages.map((page) => `- [${page.title}](/${page.path.replace(/\.md$/, '')})`);
  return `# ${title}\n\n> ${description}\n\nAll pages in one file: [llms-full.txt](/llms-full.txt)\n\n${lines.join('\n')}\n`;
}

/** Writes `llms.txt` and `llms-full.txt` into the built site. */
export function writeLlmsFiles(
  outDir: string,
  { title, description }: { title: string; description: string },
  pages: readonly SourcePage[],
): void {
  writeFileSync(join(outDir, 'llms.txt'), formatIndex(title, description, pages));
  writeFileSync(join(outDir, 'llms-full.txt'), pages.map(({ text }) => text).join('\n'));
}
