import { headingAnchor } from '../../scripts/docs/markdown.js';
import { searchWords } from './search-words.js';

/**
 * Returns the part of a page to index. Excludes code and repeated facts in the reference, code in recipes,
 * pages that repeat the reference, and benchmark results.
 */
export function searchable(path: string, markdown: string): string {
  if (/^(?:docs\/resources|api\/schemas)\//.test(path)) return '';
  const indexed = addWords(path, markdown);
  if (path === 'docs/benchmarks.md') return indexed.replaceAll(/^\|.*$/gm, '');
  if (!/^(?:api|recipes)\//.test(path)) return indexed;
  const prose = indexed.replaceAll(/^```[\s\S]*?^```$/gm, '');
  const noise =
    /^(?:(?:#|###|#####) .*|#+ (?:Parameters|Returns|Throws|Example|Type Literal)|- \*\*(?:Returns|Statuses|Retried):.*)$/gm;
  return path.startsWith('api/') ? prose.replaceAll(noise, '') : prose;
}

/** Adds the search words of a page and its sections below their headings. */
function addWords(path: string, markdown: string): string {
  const page = `/${path.replace(/\.md$/, '')}`;
  return markdown.replaceAll(/^(#+) (.*?)(?: \{#(.*)\})?$/gm, (heading, level, title, anchor) => {
    const section = `${page}#${anchor ?? headingAnchor(title)}`;
    const words = searchWords[level === '#' ? page : section];
    return words ? `${heading}\n\nSearch words: ${words}\n` : heading;
  });
}
