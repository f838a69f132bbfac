/** A fenced block of code. `line` is that of its first line of code, from 1. */
export interface CodeBlock {
  language: string;
  /** What follows the language on the opening line. */
  info: string;
  code: string;
  line: number;
  /** The words of a `<!-- snippet: … -->` comment right above the block. */
  directives: readonly string[];
}

/** A link or an image, with its target as written. */
export interface MarkdownLink {
  target: string;
  line: number;
}

/** What the checks of the documents need to know of one. */
export interface Markdown {
  blocks: readonly CodeBlock[];
  links: readonly MarkdownLink[];
  /** Where `#…` may point to, named as GitHub names headings. */
  anchors: ReadonlySet<string>;
}

const fence = /^(\s*)(`{3,}|~{3,})\s*(\S*)\s*(.*?)\s*$/;
const directive = /^\s*<!--\s*snippet:\s*(.*?)\s*-->\s*$/;
const link = /\]\(\s*<?([^\s<>()]*(?:\([^\s()]*\)[^\s<>()]*)*)>?(?:\s+["'(][^)]*)?\s*\)/g;
const reference = /^\s*\[[^\]]+\]:\s+<?([^\s>]+)>?/;
const htmlTarget = /\b(?:href|src|srcset)="([^"]+)"/g;
const htmlAnchor = /\b(?:id|name)="([^"]+)"/g;

/** Reads code blocks, links and anchors, line by line. */
export function readMarkdown(text: string): Markdown {
  const blocks: CodeBlock[] = [];
  const links: MarkdownLink[] = [];
  const anchors = new Set<string>();
  const lines = text.split(/\r?\n/);
  let directives: readonly string[] = [];
  for (let index = 0; index < lines.length; index += 1) {
    const line = lines[index] ?? '';
    const opening = fence.exec(line);
    if (opening !== null) {
      const block = readBlock(lines, index, opening, directives);
      blocks.push(block.found);
      index = block.end;
      directives = [];
      continue;
    }
    const words = directive.exec(line)?.[1];
    if (words !== undefined) directives = words.split(/\s+/);
    else if (line.trim() !== '') directives = [];
    readProse(line, index + 1, links, anchors);
  }
  return { blocks, links, anchors };
}

function readBlock(
  lines: readonly string[],
  start: number,
  [, indent = '', marks = '', language = '', info = '']: RegExpExecArray,
  directives: readonly string[],
): { found: CodeBlock; end: number } {
  const code: string[] = [];
  let end = start + 1;
  for (; end < lines.length; end += 1) {
    const line = lines[end] ?? '';
    const closing = line.trim();
    if (closing.startsWith(marks) && closing.replaceAll(marks.charAt(0), '') === '') break;
    code.push(line.startsWith(indent) ? line.slice(indent.length) : line.trimStart());
  }
  const found = { language, info, code: code.join('\n'), line: start + 2, directives };
  return { found, end };
}

function readProse(line: string, number: number, links: MarkdownLink[], anchors: Set<string>) {
  const heading = /^#{1,6}\s+(.*?)\s*#*$/.exec(line)?.[1];
  if (heading !== undefined) anchors.add(unusedAnchor(headingAnchor(heading), anchors));
  const prose = line.replaceAll(/(`+)(?!`).*?\1/g, '');
  const targets = [link, htmlTarget].flatMap((kind) => [...prose.matchAll(kind)]);
  const named = reference.exec(prose);
  for (const [, target] of named === null ? targets : [...targets, named]) {
    if (target !== undefined) links.push({ target, line: number });
  }
  for (const [, name] of prose.matchAll(htmlAnchor)) if (name !== undefined) anchors.add(name);
}

/** The anchor that GitHub gives a heading: its text in lower case, without punctuation. */
export function headingAnchor(heading: string): string {
  return heading
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/<[^>]+>/g, '')
    .replaceAll(/(?<![\p{L}\p{N}])_+([^_]+)_+(?![\p{L}\p{N}])/gu, '$1')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{M}\p{N}\p{Pc}\- ]/gu, '')
    .replaceAll(' ', '-');
}

function unusedAnchor(anchor: string, taken: ReadonlySet<string>): string {
  let name = anchor;
  for (let repeat = 1; taken.has(name); repeat += 1) name = `${anchor}-${repeat}`;
  return name;
}
