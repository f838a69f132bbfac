import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { DefaultTheme } from 'vitepress';

/** Returns the files of https://llmstxt.org: a link for each page of the sidebar, and all pages. */
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
    return { line: `- [${/^# (.+)$/m.exec(text)?.[1] ?? link}](${link})`, text };
  });
  const index = pages.map(({ line }) => line).join('\n');
  return {
    'llms.txt': `# ${title}\n\n> ${description}\n\nAll pages in one file: [llms-full.txt](/llms-full.txt)\n\n${index}\n`,
    'llms-full.txt': pages.map(({ text }) => text).join('\n'),
  };
}

/** Writes the files into the built site. */
export function writeLlmsFiles(outDir: string, files: Readonly<Record<string, string>>): void {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(outDir, name), text);
}
