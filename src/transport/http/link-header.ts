/** Result of scanning a `Link` header. */
export interface LinkScan {
  /** URIs by lowercase relation type. They are unchanged from the header and may be relative. */
  readonly uris: Readonly<Record<string, string>>;
  /**
   * Description and position of the first link that can't be read. Earlier links are kept.
   * Undefined if the header is valid.
   */
  readonly problem: string | undefined;
}

/** Maximum length in characters. Longer headers are rejected. */
const maxLength = 1024 * 1024;

// Each pattern starts where the previous one ended. The patterns are separate, because a pattern
// for a whole link could backtrack.
const commas = /[ \t,]*/y;
const target = /<([^<>]*)>/y;
/** A parameter. Some servers omit the value, or send a semicolon without a parameter. */
const parameter =
  /[ \t]*;[ \t]*(?:([!#$%&'*+\-.^_`|~\w]+)[ \t]*(?:=[ \t]*(?:"([^"\\]*(?:\\.[^"\\]*)*)"|([^ \t;,"<>]*)))?)?/sy;
const end = /[ \t]*(?=,|$)/y;

/**
 * Matches a value in single quotes, which some servers send instead of double quotes. Without this
 * rule, a list would end early at `rel='next'`.
 */
const singleQuoted = /^'(.*)'$/s;

/**
 * Scans a `Link` header (RFC 8288 section 3). Supports quoted commas, several relation types per
 * link, attributes in any order, and unquoted values. If a relation type or a link's `rel` is
 * repeated, the first one is used. Omits links with an `anchor`, which belong to other resources.
 * Never throws.
 */
export function scanLinkHeader(value: string): LinkScan {
  const uris: Record<string, string> = Object.create(null);
  if (value.length > maxLength) {
    const problem = `the header has ${value.length} characters, but the limit is ${maxLength}`;
    return { uris, problem };
  }
  let at = 0;
  const read = (pattern: RegExp) => {
    pattern.lastIndex = at;
    const found = pattern.exec(value);
    if (found) at = pattern.lastIndex;
    return found;
  };
  for (read(commas); at < value.length; read(commas)) {
    const start = at;
    const [, uri] = read(target) ?? [];
    let rel: string | undefined;
    let hasAnchor = false;
    for (let found = read(parameter); found; found = read(parameter)) {
      const [, name = '', quoted, bare = ''] = found;
      const attribute = name.toLowerCase();
      if (attribute === 'anchor') hasAnchor = true;
      else if (attribute === 'rel') {
        rel ??= quoted?.replace(/\\(.)/gs, '$1') ?? bare.replace(singleQuoted, '$1');
      }
    }
    if (uri === undefined || !read(end)) {
      return { uris, problem: `invalid link at character ${start}` };
    }
    if (hasAnchor) continue;
    for (const type of (rel ?? '').toLowerCase().split(/[ \t]+/)) {
      if (type !== '') uris[type] ??= uri.trim();
    }
  }
  return { uris, problem: undefined };
}

/**
 * Returns the URL for each relation type in a `Link` header. If a type is repeated, the first link
 * is used. Omits links with an `anchor`, and everything after an invalid part.
 */
export function parseLinkHeader(value: string | undefined): Readonly<Record<string, string>> {
  return scanLinkHeader(value ?? '').uris;
}
