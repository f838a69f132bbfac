/** A tag, or the text between tags. */
const piece = /<(\/?)(?:[\w.-]{1,60}:)?([\w.-]{1,100})(?:\s[^<>]{0,4000})?>|<+(?=<)|<?[^<]+|</g;

/**
 * Rewrites the tags and texts of an XML document in one pass: it need not be well-formed.
 * @param isSecretName elements of this local name, and everything in them, are secret.
 * @param rewrite gets each tag, and each text that isn't blank.
 */
export function rewriteXml(
  text: string,
  isSecretName: (name: string) => boolean,
  rewrite: (raw: string, isSecret: boolean) => string,
): string {
  /** Open elements from a secret one on. */
  let depth = 0;
  return text.replace(piece, (raw: string, slash?: string, name?: string) => {
    if (name === undefined) return raw.trim() === '' ? raw : rewrite(raw, depth > 0);
    if (slash === '/') depth = Math.max(0, depth - 1);
    else if (!raw.endsWith('/>') && (depth > 0 || isSecretName(name))) depth++;
    return raw.includes('=') ? rewrite(raw, false) : raw;
  });
}
