/** A link in a `Link` header. */
export interface ParsedLink {
  /** URI as in the header: absolute, or relative to the response's URL. */
  readonly uri: string;
  /** Relation types in lower case. */
  readonly rels: readonly string[];
  /** Target attributes by lowercase name. If a name is repeated, the first value is used. */
  readonly params: Readonly<Record<string, string>>;
  /** Whether the link has an `anchor`, which means that it belongs to a different resource. */
  readonly anchored: boolean;
}

/** Result of scanning a `Link` header. */
export interface LinkScan {
  readonly links: readonly ParsedLink[];
  /**
   * Description and position of the part that can't be read. Earlier links are kept. Undefined if
   * the header is valid.
   */
  readonly problem: string | undefined;
}

/** Matches a parameter's name (RFC 9110 section 5.6.2). */
const token = /^[!#$%&'*+\-.^_`|~\w]+$/;

/**
 * Characters that indicate a missing comma or quote. A header with one of these characters in an
 * unquoted value is rejected, because a link could be missing.
 */
const strays = ['"', '<', '>'];

/**
 * Matches a value in single quotes, which some servers send instead of double quotes. Without this
 * rule, a list would end early at `rel='next'`.
 */
const singleQuoted = /^'(.*)'$/s;

/** Maximum length in characters. Longer headers are rejected. */
const maxLength = 1024 * 1024;

/**
 * Parses a `Link` header (RFC 8288 section 3) in one pass, without regular expressions that could
 * backtrack. Supports quoted commas, several relation types per link, attributes in any order, and
 * unquoted values. Never throws.
 */
export function scanLinkHeader(value: string): LinkScan {
  if (value.length > maxLength) {
    return {
      links: [],
      problem: `the header has ${value.length} characters, but the limit is ${maxLength}`,
    };
  }
  const scanner = new Scanner(value);
  const links: ParsedLink[] = [];
  for (;;) {
    scanner.skip(' \t,');
    const start = scanner.at;
    if (start >= value.length) return { links, problem: undefined };
    const link = scanner.parseLink();
    if (typeof link === 'string') return { links, problem: `${link} at character ${start}` };
    links.push(link);
  }
}

/**
 * Returns the URL for each relation type in a `Link` header. If a type is repeated, the first link
 * is used. Omits links of other resources (with an `anchor`) and everything after an invalid part.
 */
export function parseLinkHeader(value: string | undefined): Readonly<Record<string, string>> {
  return indexLinks(value === undefined ? [] : scanLinkHeader(value).links);
}

/**
 * Returns the URL for each relation type. If a type is repeated, the first link is used. Omits links
 * of other resources.
 */
export function indexLinks(links: readonly ParsedLink[]): Readonly<Record<string, string>> {
  const urls: Record<string, string> = Object.create(null);
  for (const link of links) {
    if (link.anchored) continue;
    for (const rel of link.rels) urls[rel] ??= link.uri;
  }
  return urls;
}

class Scanner {
  readonly #text: string;
  /** Index of the next character. */
  at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  /** Parses one link-value. Returns a description of the problem if the link is invalid. */
  parseLink(): ParsedLink | string {
    if (this.#text[this.at] !== '<') return "expected '<'";
    const end = this.#text.indexOf('>', this.at);
    if (end < 0) return "'<' without '>'";
    const uri = this.#text.slice(this.at + 1, end).trim();
    // If this link's '>' is missing, its URI includes the next link.
    if (uri.includes('<')) return "'<' without '>'";
    this.at = end + 1;
    const params: Record<string, string> = Object.create(null);
    for (;;) {
      this.skip(' \t');
      const next = this.#text[this.at];
      if (next === undefined || next === ',') break;
      if (next !== ';') return "expected ';' or ','";
      this.at++;
      this.skip(' \t');
      const name = this.#until(' \t=;,').toLowerCase();
      if (name === '') continue; // Some servers send a final semicolon.
      if (!token.test(name)) return 'an invalid parameter name';
      const value = this.#value();
      if (value === undefined) return `a value with an open or stray '"', '<' or '>'`;
      params[name] ??= value;
    }
    const rels = (params.rel ?? '').toLowerCase().split(/[ \t]/);
    return {
      uri,
      rels: rels.filter(Boolean),
      params,
      anchored: params.anchor !== undefined,
    };
  }

  /**
   * Parses a parameter's value. Empty if the parameter has no value, undefined if the value is
   * invalid.
   */
  #value(): string | undefined {
    this.skip(' \t');
    if (this.#text[this.at] !== '=') return '';
    this.at++;
    this.skip(' \t');
    if (this.#text[this.at] === '"') return this.#quoted();
    const value = this.#until(' \t;,');
    if (strays.some((each) => value.includes(each))) return undefined;
    return singleQuoted.exec(value)?.[1] ?? value;
  }

  #quoted(): string | undefined {
    const text = this.#text;
    let value = '';
    let from = ++this.at;
    for (; this.at < text.length; this.at++) {
      const character = text[this.at];
      if (character === '"') {
        value += text.slice(from, this.at++);
        return value;
      }
      if (character === '\\') {
        value += text.slice(from, this.at++);
        from = this.at;
      }
    }
    return undefined;
  }

  skip(characters: string): void {
    while (this.at < this.#text.length && characters.includes(this.#text[this.at] ?? '')) {
      this.at++;
    }
  }

  #until(characters: string): string {
    const start = this.at;
    while (this.at < this.#text.length && !characters.includes(this.#text[this.at] ?? '')) {
      this.at++;
    }
    return this.#text.slice(start, this.at);
  }
}
