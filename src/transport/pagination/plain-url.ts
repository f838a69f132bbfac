const plain = /^[\w:/?&=,;+%.~-]+$/;

/**
 * A URL of a known origin that a parser would give back as it is: none is needed for it, which saves
 * a crawl two of them for each page. When in doubt it is not plain.
 */
export function isPlainUrl(uri: string, origin: string): boolean {
  return (
    uri.startsWith(`${origin}/`) && plain.test(uri) && !uri.includes('/.') && !/%2e/i.test(uri)
  );
}
