import type { Options, SearchOptions } from 'minisearch';

// VitePress serializes these functions for the browser, so they can't use variables from outside.

/**
 * Splits a text, or a query if `field` is undefined, into words. Adds the parts of names such as `per_page`
 * and `listFiles`. Replaces some names of several words with one word, and some error messages with their
 * error codes. Queries and the field `pairs` also contain each pair of words that are close together.
 */
function tokenize(text: string, field?: string): string[] {
  const words =
    text
      .replaceAll(/socket hang up|other side closed|connection reset/gi, 'ECONNRESET')
      .replaceAll(/connection refused|fetch failed/gi, 'ECONNREFUSED')
      .replaceAll(/too many requests/gi, '429')
      .replaceAll(/(?:one[ -]time|two[ -]factor)(?: (?:password|code|authentication)s?)?/gi, 'otp')
      .replaceAll(/github enterprise(?: server)?|\bghes\b/gi, 'GHE')
      .replaceAll(/pull[ -]requests?/gi, 'pull')
      .replaceAll(/\bratelimit/g, 'rate limit ')
      .replaceAll(/\btim(?:e|ed|es)[ -]out/gi, 'timeout')
      .replaceAll(/\b(web(?=.hook)|(?:base|user|request)(?=.(?:url|agent|id)))[ -]/gi, '$1')
      .replaceAll(/\b(keep(?=.alive)|go(?=.github)|next(?=.js))[ .-]/gi, '$1')
      // Removes system calls and IP addresses, which queries contain if users paste an error.
      .replaceAll(/\b(?:connect|read)(?= E[A-Z]{4})|\b\d+(?:\.\d+){3}(?::\d+)?/g, ' ')
      .match(/[\p{L}\p{N}_]+/gu) ?? [];
  // Doesn't split names in camel case in texts, which contain too many, or class names in queries.
  const name = field === 'text' ? /_/ : field ? /_|[a-z][A-Z]/ : /_|^[a-z]+[A-Z]/;
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
    return pair.includes(null) || pair[0] === pair[1] ? null : `+${pair.sort().join('+')}`;
  }
  const noise = `a am an and any are as at be been between but by can cannot could did do does doesn don every for
    from get getting had has have how i if in into is it its me of on or s should so t than that the
    their them then there these this to too want was we what when where whether which who whose why will
    with without would you your`;
  const synonyms = `start quickstart begin beginner tutorial; retry retri backoff resend; timeout deadline;
    abort cancel cancell abortcontroller abortsignal; answer response reply; validat validation;
    cach etag conditional; process processe worker instanc replica pod; cas ticket; many multipl several;
    iterat iterator iteration iterabl loop; invalid bad wrong incorrect; shar share; contact customer;
    repo repository; ref branch branche; unavailabl down unreachabl; environment env; variabl var;
    org organization; user account member collaborator; limit throttl quota; token pat bearer;
    auth authenticat authentication authoriz authorization credential login signin; singl raw;
    otp 2fa mfa totp factor; emulator mock fake stub nock; connection network; proxy corporat firewall;
    bundl bundler bundling serverless lambda esm commonj cjs; dispatcher fetch agent; pull pr;
    observability log logg logger debug debugg telemetry metric monitor; certificat cert tls ssl ca;
    sign unverifi untrust; upload attach; webhook hook; paginat pagination page pag; delet remov;
    node nodej; openapi swagger; policy middlewar interceptor; replay cassett vcr; fault simulat chao;
    pool keepaliv; expir expiry expiration; updat renam edit chang modify; search find lookup;
    exit hang stuck shutdown; parallel concurrent concurrency; duplicat twic; wait sleep paus;
    my min; permission access forbidden deni denied`;
  const lower = term.toLowerCase();
  if (noise.split(/\s+/).includes(lower)) return null;
  const plain = /[^aeijous]s$|[aeo]s$/.test(lower) ? lower.slice(0, -1) : lower;
  const one = plain.replace(/ie$|(?<=\w\w)ied$/, 'y');
  const stem = /^(?:hosting|string)$/.test(one) ? one : one.replace(/(?<=\w{3})(?:ing|ed|e)$/, '');
  const groups = synonyms.split(/;\s+/).map((words) => words.split(/\s+/));
  const group = groups.find((words) => words.includes(stem))?.[0]?.toUpperCase();
  return group && field !== undefined ? [group, stem] : (group ?? stem);
}

/** Ranks guides before the reference, methods before other symbols, and pages about the project last. */
function boostDocument(id: string, term: string, stored?: Record<string, unknown>): number {
  // Only a page's first heading has no parent titles.
  const isHead = String(stored?.titles ?? '') === '';
  const factors: readonly (readonly [RegExp, number])[] = [
    [/^\/docs\/(?:benchmarks|architecture|fleet-protocol|foreign-clients)|^\/C[A-Z]+/, 0.3],
    [/^\/docs\/coming-from-octokit-webhooks/, 0.7],
    [/^\/docs\/(?:coming-from|recipes)/, isHead ? 2.4 : 0.7],
    [/^\/docs\/endpoints/, isHead ? 2.4 : 0.3],
    [/^\/docs\/(?:errors|options)/, 0.6],
    [/^\/recipes\//, 2],
    [/^\/docs\/testing/, isHead ? 3.2 : 1.1],
    [/^\/docs\/not-supported/, 2.2],
    // Ranks these sections lower, because other guides explain the same topics.
    [/^\/docs\/(?:doctor|emulator|fleets)/, isHead ? 1.8 : 1.3],
    [/^\/docs\//, isHead ? 2.1 : 1.6],
    [/#(?:asynciterator|catch|constructor|finally|then)$|Hooks#test$/, 0.2],
    [/^\/api\/\w+\/(?:\w+Client|OAuthWebFlow|Wait)#/, isHead ? 0.3 : 0.6],
    [/^\/api\/(?:hosting|support|console)\/[A-Z][a-zA-Z-]+#/, isHead ? 0.3 : 1],
  ];
  const isVerb = /^(?:creat|DELET|list|UPDAT|merg|add|check)$/.test(term);
  const factor = factors.find(([pattern]) => pattern.test(id))?.[1] ?? 0.15;
  return isVerb && id.startsWith('/api/') ? factor * 1.4 : factor;
}

/** Adds the field `pairs`, which contains a title, its parent title and a method's first sentence. */
function extractField(section: Readonly<Record<string, unknown>>, field: string): unknown {
  const { id, title, titles, text } = section;
  if (field !== 'pairs') return section[field];
  const parent = Array.isArray(titles) ? String(titles.at(-1) ?? '') : '';
  const [, sentence = ''] = /^(?:\s|[A-Z]+ \/.*\n)*([^.]*)/.exec(String(text)) ?? [];
  return `${title} ${parent} ${parent && /^\/api\//.test(String(id)) ? sentence : ''}`;
}

/** Settings for the site's search, also used by its tests. */
export const miniSearch: {
  readonly options: Pick<Options, 'processTerm' | 'tokenize' | 'extractField' | 'fields'>;
  readonly searchOptions: SearchOptions;
} = {
  options: { processTerm, tokenize, extractField, fields: ['title', 'titles', 'text', 'pairs'] },
  searchOptions: {
    // In short words, a single letter can change the meaning. Synonyms and pairs must match exactly.
    fuzzy: (term: string) => (/^[a-z]{5,}$/.test(term) ? 0.2 : false),
    // Only the last word can be incomplete. Numbers must match completely, so 50 doesn't find 500.
    prefix: (term, at, terms) =>
      at === terms.length - 1 && /^[a-z_]/.test(term) && (term.length > 2 || at === 0),
    boost: { title: 2.4, text: 1, titles: 2, pairs: 0.5 },
    weights: { fuzzy: 0.3, prefix: 0.375 },
    bm25: { k: 1.7, b: 0.7, d: 0.35 },
    boostTerm: (term: string) => {
      // Codes and the names of errors and other clients identify a page better than other words.
      const code = /^(?:\d{3}|e[a-z]+(?:reset|refused|notfound|timedout|_again)|[a-z]{4,}error)$/;
      if (code.test(term) || /^(?:octokit|pygithub|gogithub)$/.test(term)) return 2.8;
      const common =
        /^(?:add|after|all|answer|api|app|before|call|client|creat|custom|delet|github|handl|list|mak|max|method|need|new|no|not|number|only|request|return|runn?|set|tak|updat|us|way|work)$/i;
      return term.split('+').every((word) => word === '' || common.test(word)) ? 0.5 : 1;
    },
    boostDocument,
  },
};

/**
 * Returns the part of a page to index. Excludes code and repeated facts in the reference, code in recipes,
 * pages that repeat the reference, and benchmark results.
 */
export function searchable(path: string, markdown: string): string {
  if (/^(?:docs\/resources|api\/schemas)\//.test(path)) return '';
  if (path === 'docs/benchmarks.md') return markdown.replaceAll(/^\|.*$/gm, '');
  if (!/^(?:api|recipes)\//.test(path)) return markdown;
  const prose = markdown.replaceAll(/^```[\s\S]*?^```$/gm, '');
  const noise =
    /^(?:(?:#|###|#####) .*|#+ (?:Parameters|Returns|Throws|Example|Type Literal)|- \*\*(?:Returns|Statuses|Retried):.*)$/gm;
  return path.startsWith('api/') ? prose.replaceAll(noise, '') : prose;
}
