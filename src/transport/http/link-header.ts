/** One link of a `Link` header. */
export interface ParsedLink {
  /** As it stands in the header: absolute, or relative to the URL that answered. */
  readonly uri: string;
  /** Relation types, lower case. */
  readonly rels: readonly string[];
  /** Target attributes, names in lower case; the first of a name counts. */
  readonly params: Readonly<Record<string, string>>;
  /** Says something of another resource than the one that was asked for (an `anchor`). */
  readonly anchored: boolean;
}

/** What a scan found. */
export interface LinkScan {
  readonly links: readonly ParsedLink[];
  /** What can't be read, and where; the links before it are kept. Undefined where all is well. */
  readonly problem: string | undefined;
}

/** What a parameter's name is made of (RFC 9110 section 5.6.2). */
const token = /^[!#$%&'*+\-.^_`|~\w]+$/;

/** Where a comma or a quote was lost, these show up: better no answer than one link too few. */
const strays = ['"', '<', '>'];

/** Longer headers are not read: no honest server sends one. */
const maxLength = 1024 * 1024;

/**
 * Reads a `Link` header (RFC 8288 section 3) in one pass over its characters, without regular
 * expressions that could backtrack. Quoted commas, several relations, attributes in any order and
 * unquoted values are all read. Never throws.
 */
export function scanLinkHeader(value: string): LinkScan {
  if (value.length > maxLength) {
    return { links: [], problem: `it has ${value.length} characters, more than ${maxLength}` };
  }
  return new Scanner(value).scan();
}

/**
 * The URL of each relation; the first link of a relation counts. Links about other resources (with an
 * `anchor`) are left out, and so is what can't be read.
 */
export function parseLinkHeader(value: string | undefined): Readonly<Record<string, string>> {
  const urls: Record<string, string> = Object.create(null);
  if (value === undefined) return urls;
  for (const link of scanLinkHeader(value).links) {
    if (link.anchored) continue;
    for (const rel of link.rels) urls[rel] ??= link.uri;
  }
  return urls;
}

class Scanner {
  readonly #text: string;
  #at = 0;

  constructor(text: string) {
    this.#text = text;
  }

  scan(): LinkScan {
    const links: ParsedLink[] = [];
    for (;;) {
      this.#skip(' \t,');
      if (this.#at >= this.#text.length) return { links, problem: undefined };
      const start = this.#at;
      const link = this.#link();
      if (typeof link === 'string') return { links, problem: `${link} at character ${start}` };
      links.push(link);
    }
  }

  /** One link-value, or what is wrong with it. */
  #link(): ParsedLink | string {
    if (this.#text[this.#at] !== '<') return "expected '<'";
    const end = this.#text.indexOf('>', this.#at);
    if (end < 0) return "'<' without '>'";
    const uri = this.#text.slice(this.#at + 1, end).trim();
    // A '>' was lost: this would swallow the link that follows.
    if (uri.includes('<')) return "'<' without '>'";
    this.#at = end + 1;
    const params: Record<string, string> = Object.create(null);
    for (;;) {
      this.#skip(' \t');
      const next = this.#text[this.#at];
      if (next === undefined || next === ',') break;
      if (next !== ';') return "expected ';' or ','";
      this.#at++;
      this.#skip(' \t');
      const name = this.#until(' \t=;,').toLowerCase();
      if (name === '') continue; // an empty parameter, as servers send at the end
      if (!token.test(name)) return 'a parameter without a name';
      const value = this.#value();
      if (value === undefined) return `a value with an open or stray '"', '<' or '>'`;
      params[name] ??= value;
    }
    const rels = (params.rel ?? '').toLowerCase().split(/[ \t]/);
    return {
      uri,
      rels: rels.filter((rel) => rel !== ''),
      params,
      anchored: params.anchor !== undefined,
    };
  }

  /** The value of a parameter; empty where it has none, undefined where it can't be read. */
  #value(): string | undefined {
    this.#skip(' \t');
    if (this.#text[this.#at] !== '=') return '';
    this.#at++;
    this.#skip(' \t');
    if (this.#text[this.#at] === '"') return this.#quoted();
    const value = this.#until(' \t;,');
    return strays.some((each) => value.includes(each)) ? undefined : value;
  }

  #quoted(): string | undefined {
    const text = this.#text;
    let value = '';
    let from = ++this.#at;
    for (; this.#at < text.length; this.#at++) {
      const character = text[this.#at];
      if (character === '"') {
        value += text.slice(from, this.#at++);
        return value;
      }
      if (character === '\\') {
        value += text.slice(from, this.#at++);
        from = this.#at;
      }
    }
    return undefined;
  }

  #skip(characters: string): void {
    while (this.#at < this.#text.length && characters.includes(this.#text[this.#at] ?? '')) {
      this.#at++;
    }
  }

  #until(characters: string): string {
    const start = this.#at;
    while (this.#at < this.#text.length && !characters.includes(this.#text[this.#at] ?? '')) {
      this.#at++;
    }
    return this.#text.slice(start, this.#at);
  }
}
