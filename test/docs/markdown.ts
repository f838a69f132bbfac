import GithubSlugger from 'github-slugger';
import MarkdownIt from 'markdown-it';

/** A fenced code block. */
export interface CodeBlock {
  language: string;
  /** Text after the language on the opening line. */
  info: string;
  code: string;
  /** Line number of the first line of code, counted from 1. */
  line: number;
  /** Words in the `<!-- snippet: … -->` comment right above the block. */
  directives: readonly string[];
}

/** A link or an image, with its unresolved target. */
export interface MarkdownLink {
  target: string;
  line: number;
}

/** Contents of a document that the checks use. */
export interface Markdown {
  blocks: readonly CodeBlock[];
  links: readonly MarkdownLink[];
  /** Anchors that `#…` can link to, in GitHub's format. */
  anchors: ReadonlySet<string>;
}

const parser = new MarkdownIt({ html: true });
const directive = /^<!--\s*snippet:\s*(.*?)\s*-->\s*$/;
const htmlTarget = /\b(?:href|src|srcset)="([^"]+)"/g;
const htmlAnchor = /\b(?:id|name)="([^"]+)"/g;

/** Reads a document's code blocks, links and anchors. */
export function readMarkdown(text: string): Markdown {
  const blocks: CodeBlock[] = [];
  const links: MarkdownLink[] = [];
  const anchors = new Set<string>();
  const slugger = new GithubSlugger();
  const tokens = parser.parse(text, {});
  let line = 0;
  for (const [index, token] of tokens.entries()) {
    const before = tokens[index - 1];
    if (token.map) line = token.map[0] + 1;
    if (token.type === 'fence') {
      const [language = '', ...info] = token.info.trim().split(/\s+/);
      const directives = directive.exec(before?.content ?? '')?.[1]?.split(/\s+/) ?? [];
      const code = token.content.replace(/\n$/, '');
      blocks.push({ language, info: info.join(' '), code, line: line + 1, directives });
    } else if (before?.type === 'heading_open') {
      anchors.add(slugger.slug((token.children ?? []).map(({ content }) => content).join('')));
    }
    for (const part of [token, ...(token.children ?? [])]) {
      if (part.type === 'softbreak') line += 1;
      const target = part.attrGet('href') ?? part.attrGet('src');
      if (target) links.push({ target, line });
      if (!part.type.startsWith('html_')) continue;
      for (const [, to = ''] of part.content.matchAll(htmlTarget)) links.push({ target: to, line });
      for (const [, name = ''] of part.content.matchAll(htmlAnchor)) anchors.add(name);
    }
  }
  return { blocks, links, anchors };
}
