import { isSecretElement } from './text-spans.js';

/** Matches a tag, or the text between tags. */
const piece = /<(\/?)(?:[\w.-]{1,60}:)?([\w.-]{1,128})(?:\s[^<>]{0,4000})?>|<+(?=<)|<?[^<]+|</g;

/**
 * Rewrites the tags and text of an XML document in one pass. The document can be malformed.
 * @param isSecretName whether an element with this local name, and everything in it, is secret.
 * @param rewrite receives each tag with attributes, and each text node that isn't blank.
 */
export function rewriteXml(
  text: string,
  isSecretName: (name: string) => boolean,
  rewrite: (part: 'tag' | 'text', raw: string, isSecret: boolean) => string,
): string {
  const pieces: string[] = [];
  let done = 0;
  /** Number of open elements, counted from the outermost secret element. */
  let depth = 0;
  // Uses `matchAll`, because `replace` with a function would keep all matches in memory.
  for (const { 0: raw, 1: slash, 2: name, index } of text.matchAll(piece)) {
    let rewritten = raw;
    if (name === undefined) {
      if (raw.trim() !== '') rewritten = rewrite('text', raw, depth > 0);
    } else {
      const isStart = slash !== '/';
      if (raw.includes('=')) {
        rewritten = rewrite('tag', raw, depth > 0 || (isStart && isSecretName(name)));
      }
      if (!isStart) depth = Math.max(0, depth - 1);
      else if (!raw.endsWith('/>') && (depth > 0 || isSecretElement(raw, name, isSecretName))) {
        depth++;
      }
    }
    if (rewritten === raw) continue;
    pieces.push(text.slice(done, index), rewritten);
    done = index + raw.length;
  }
  pieces.push(text.slice(done));
  return pieces.join('');
}
