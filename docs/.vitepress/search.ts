import type { Options, SearchOptions } from 'minisearch';

// VitePress serializes these functions for the browser, so they can't use variables from outside.

/**
 * Splits a text, or a query if `field` is undefined, into words. Adds the parts of names such as `per_page`
 * and `listFiles`. Queries and the field `pairs` also contain each pair of words that are close together.
 */
function tokenize(text: string, field?: string): string[] {
  // Pairs don't contain words from both sides of a comma.
  if (field === 'pairs' && text.includes(',')) {
    return text.split(',').flatMap((part) => tokenize(part, field));
  }
  const words =
    text
      .replaceAll(/['’]/g, '')
      .replaceAll(/\blog(?:ged)? in\b/gi, 'login')
      // Removes system calls and IP addresses, which queries contain if users paste an error.
      .replaceAll(/\b(?:connect|read)(?= E[A-Z]{4})|\b\d+(?:\.\d+){3}(?::\d+)?/g, ' ')
      .match(/[\p{L}\p{N}_]+/gu) ?? [];
  // Doesn't split camel-case names in texts, because texts contain too many of them.
  const name = field === 'text' ? /_/ : /_|[a-z][A-Z]/;
  const parts = words.map((word) =>
    name.test(word) ? (word.match(/[A-Z]?[a-z]+|[A-Z]+|\d+/g) ?? []) : [],
  );
  if (field !== undefined && field !== 'pairs') return [...words, ...parts.flat()];
  const all = words.flatMap((word, at) => (/_/.test(word) ? word : [word, ...(parts[at] ?? [])]));
  const next = (at: number): string[] => all.slice(at + 1, at + 7);
  const pairs = all.flatMap((word, at) => next(at).map((other) => `${word}+${other}`));
  return field === 'pairs' ? pairs : [...pairs, ...parts.flat(), ...words];
}

/**
 * Normalizes a word in the index, or in a query if `field` is undefined. Drops noise words and endings, and
 * sorts pairs. Replaces synonyms with an uppercase word that stands for their group and is matched
 * exactly. The index also contains each synonym itself, to match typos and prefixes.
 */
function processTerm(term: string, field?: string): string | string[] | null {
  if (term.includes('+')) {
    const pair = term.split('+').map((word) => processTerm(word));
    return pair.includes(null) ? null : `+${pair.sort().join('+')}`;
  }
  const noise = `a am an and any are as at be been between but by can cannot cant could did do does doesnt
    dont every for from getting had has have how i if in into is it its me of on or should so than
    that the their them then there these this to too want was we what when where whether which
    who whose why will with without would you your`;
  const synonyms = `retry retri backoff resend; abort cancel cancell; cach etag conditional; otp 2fa mfa totp factor;
    process worker instanc replica pod; ref branch branche; environment env; org organization; pull pr;
    limit throttl quota; token pat bearer; emulator mock fake stub nock; certificat cert tls ssl ca;
    auth authenticat authentication authoriz authorization credential login signin; webhook hook;
    log logg logger debug debugg observability; paginat pagination page pag; delet remov;
    updat renam edit chang modify; parallel concurrent concurrency;
    permission access forbidden deni denied`;
  const lower = term.toLowerCase();
  if (noise.split(/\s+/).includes(lower)) return null;
  const singular = lower.replace(/ies$/, 'y').replace(/(?<=[^us])s$/, '');
  const stem = singular.replace(/(?<=\w{3})(?:ing|ed|e)$/, '');
  const groups = synonyms.split(/;\s+/).map((words) => words.split(/\s+/));
  const group = groups.find((words) => words.includes(stem))?.[0]?.toUpperCase();
  return group && field !== undefined ? [group, stem] : (group ?? stem);
}

/** Ranks guides before the reference, methods before other symbols, and pages about the project last. */
function boostDocument(id: string, _term: string, stored?: Record<string, unknown>): number {
  // Only a page's first heading has no parent titles.
  const isHead = String(stored?.titles ?? '') === '';
  const factors: readonly (readonly [RegExp, number])[] = [
    [/^\/docs\/(?:benchmarks|architecture|foreign-clients)|^\/[A-Z]+/, isHead ? 0.8 : 0.3],
    [/^\/docs\/coming-from-octokit-webhooks/, 0.7],
    [/^\/docs\/(?:coming-from|endpoints|recipes)/, isHead ? 2 : 0.7],
    [/^\/docs\/(?:errors|options)/, 0.6],
    [/^\/recipes\//, 2],
    // Ranks these sections lower, because other guides explain the same topics.
    [/^\/docs\/(?:doctor|emulator|fleets)/, isHead ? 1.6 : 1.2],
    [/^\/docs\//, isHead ? 2 : 1.6],
    [/^\/api\/\w+\/(?:\w+Client|OAuthWebFlow|Wait)#/, 0.3],
    [/^\/api\/(?:hosting|support|console)\/[A-Z][a-zA-Z-]+#/, isHead ? 0.3 : 1],
  ];
  return factors.find(([pattern]) => pattern.test(id))?.[1] ?? 0.15;
}

/**
 * Adds the field `words`, which contains the section's search words, and the field `pairs`, which contains
 * a title, its parent title, a method's first sentence and the search words.
 */
function extractField(section: Readonly<Record<string, unknown>>, field: string): unknown {
  const { id, title, titles } = section;
  if (!/^(?:text|words|pairs)$/.test(field)) return section[field];
  const [, words = '', text = ''] =
    /^(?:\s*Search words: (.*))?([\s\S]*)$/.exec(String(section.text)) ?? [];
  if (field === 'text') return text;
  if (field === 'words') return words;
  const parent = Array.isArray(titles) ? String(titles.at(-1) ?? '') : '';
  const [, sentence = ''] = /^(?:\s|[A-Z]+ \/.*\n)*([^.]*)/.exec(text) ?? [];
  return `${title} ${parent} ${parent && /^\/api\//.test(String(id)) ? sentence : ''}, ${words}`;
}

/** Settings for the site's search, also used by its tests. */
export const miniSearch: {
  readonly options: Pick<Options, 'processTerm' | 'tokenize' | 'extractField' | 'fields'>;
  readonly searchOptions: SearchOptions;
} = {
  options: {
    processTerm,
    tokenize,
    extractField,
    fields: ['title', 'titles', 'text', 'words', 'pairs'],
  },
  searchOptions: {
    // Allows typos only in words of at least four letters, because a single letter can change the
    // meaning of a shorter word. Synonyms and pairs must match exactly.
    fuzzy: (term: string) => (/^[a-z]{4,}$/.test(term) ? 0.2 : false),
    // Only the last word can be incomplete. Numbers must match completely, so 50 doesn't find 500.
    prefix: (term, at, terms) => at === terms.length - 1 && /^[a-z_]/.test(term),
    boost: { title: 2.4, text: 1, titles: 2, words: 1, pairs: 0.5 },
    weights: { fuzzy: 0.2, prefix: 0.4 },
    bm25: { k: 1.7, b: 0.7, d: 0.35 },
    boostTerm: (term: string) => {
      // Status codes and the names of errors and other clients identify a page better than other words.
      if (/^(?:\d{3}|e(?:conn|timed|notf|ai_)[a-z]+|[a-z]{4,}error|octokit|pygithub)$/.test(term))
        return 2.8;
      const common =
        /^(?:all|api|app|creat|get|js?|list|mak|need|new|not|only|request|return|support|updat|us|work)$/i;
      return term.split('+').every((word) => word === '' || common.test(word)) ? 0.5 : 1;
    },
    boostDocument,
  },
};
