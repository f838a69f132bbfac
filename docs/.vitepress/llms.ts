import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefaultTheme } from 'vitepress';

/** Returns the files of https://llmstxt.org: links to all pages, each page as Markdown, and all pages in one file. */
export function llmsFiles(
  root: string,
  { title, description }: { title: string; description: string },
  items: readonly DefaultTheme.SidebarItem[],
): Readonly<Record<string, string>> {
  const links = items.flatMap(function collect({ link, items: inner = [] }): string[] {
    return [
      ...(link?.startsWith('/docs/') ? [link.replace(/#.*/, '')] : []),
      ...inner.flatMap(collect),
    ];
  });
  const pages = [...new Set(links)].map((link) => {
    const text = readFileSync(join(root, `${link}.md`), 'utf8').replaceAll(
      /<!--[\s\S]*?-->\n*/g,
      '',
    );
    return { file: `${link.slice(1)}.md`, title: /^# (.+)$/m.exec(text)?.[1] ?? link, text };
  });
  const index = pages.map((page) => `- [${page.title}](/${page.file})`).join('\n');
  return {
    ...Object.fromEntries(pages.map(({ file, text }) => [file, text])),
    'llms.txt': `# ${title}\n\n> ${description}\n\nAll pages in one file: [llms-full.txt](/llms-full.txt)\n\n${index}\n`,
    'llms-full.txt': pages.map(({ text }) => text).join('\n'),
  };
}

/** Writes the files into the built site. */
export function writeLlmsFiles(outDir: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(outDir, name), text);
}
