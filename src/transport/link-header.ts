export interface ParsedLink {
  readonly uri: string;
  readonly rels: readonly string[];
  readonly params: Readonly<Record<string, string>>;
  readonly anchored: boolean;
}
export function scanLinkHeader(v: string): {
  readonly links: readonly ParsedLink[];
  readonly problem: string | undefined;
} {
  const links: ParsedLink[] = [];
  for (const m of v.matchAll(/<([^>]*)>;\s*rel="([^"]*)"/g))
    links.push({ uri: m[1] ?? '', rels: (m[2] ?? '').split(' '), params: {}, anchored: false });
  return { links, problem: links.length ? undefined : 'unreadable' };
}
export function parseLinkHeader(v: string | undefined): Readonly<Record<string, string>> {
  const o: Record<string, string> = {};
  if (v) for (const l of scanLinkHeader(v).links) for (const r of l.rels) o[r] = l.uri;
  return o;
}
