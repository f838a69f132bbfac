import type { Options, SearchOptions } from 'minisearch';

/*
 * VitePress serializes these functions for the browser, so they can't use variables from outside.
 */

/**
 * Splits a text, or a query if `field` is undefined, into words. Adds the parts of names in snake case,
 * of error codes in texts, and of names in camel case in titles and queries. Replaces some names of
 * several words with one word, and some error messages with their error codes. Removes IP addresses,
 * which queries contain if users paste an error.
 */
function tokenize(text: string, field?: string): string[] {
  const parts: string[] = text.match(/\b[a-z]+(?=_)|(?<=_)[a-z]+/g) ?? [];
  if (field === undefined) {
    // Doesn't split class names, such as TimeoutError.
    parts.push(...(text.match(/\b[a-z]+(?=[A-Z])|(?<=\b[a-z]\w*)[A-Z][a-z]+/g) ?? []));
  } else if (field === 'text') {
    parts.push(...(text.match(/\b[A-Z]+(?=_)|(?<=_)[A-Z]+/g) ?? []));
  } else {
    parts.push(...(text.match(/(?<=[a-z])[A-Z][a-z]+/g) ?? []));
  }
  return [text, ...parts]
    .join(' ')
    .replaceAll(/too many requests/gi, '429')
    .replaceAll(/fake[ -]timers?/gi, 'fakeTimers')
    .replaceAll(/socket hang up|other side closed|connection reset/gi, 'ECONNRESET')
    .replaceAll(/tim(?:e|ed|es)[ -]out/gi, 'timeout')
    .replaceAll(/connection refused/gi, 'ECONNREFUSED')
    .replaceAll(/pull[ -]requests?/gi, 'pull')
    .replaceAll(/user[ -]agents?/gi, 'userAgent')
    .replaceAll(/request[ -]ids?\b/gi, 'requestId')
    .replaceAll(/base[ -]urls?\b/gi, 'baseUrl')
    .replaceAll(/keep[ -]alive/gi, 'keepalive')
    .replaceAll(/go[ -]github/gi, 'gogithub')
    .replaceAll(
      /(?:one[ -]time|two[ -]factor) (?:password|code|authentication)s?|two[ -]factor/gi,
      'otp',
    )
    .replaceAll(/github enterprise(?: server)?|\bghes\b/gi, 'GHE')
    .replaceAll(/\bca bundles?\b/gi, 'certificate')
    .replaceAll(/\bratelimit/g, 'rate limit ')
    .replaceAll(/cloudflare workers?/gi, 'cloudflare')
    .replaceAll(/\b(next|node)\.js\b/gi, '$1js')
    .replaceAll(/\b\d+(?:\.\d+){3}(?::\d+)?/g, ' ')
    .split(/[^\p{L}\p{N}_]+/u);
}

/**
 * Normalizes a word in the index, or in a query if `field` is undefined. Drops noise words and endings.
 * Replaces synonyms with an uppercase word that stands for their group and is matched exactly. The
 * index also contains each synonym itself, to match typos and prefixes.
 */
function processTerm(term: string, field?: string): string | string[] | null {
  const noise = [
    'a am an and any are as at be between but by can cannot do does doesn don for from',
    'get getting how i if in is it me my of on or s so t that the there this to',
    'want was we what when where which why with without you your',
  ];
  const synonyms = [
    'start started starting quickstart begin beginner tutorial',
    'retry retried retrying backoff resend',
    'timeout deadline',
    'abort aborted cancel canceled cancelled abortcontroller abortsignal',
    'answer response reply',
    'validate validation validated validating',
    'cache cached caching etag conditional',
    'process processe worker instance replica',
    'iterate iterator iteration iterable loop',
    'case ticket',
    'many multiple several',
    'invalid bad wrong incorrect',
    'share shared sharing',
    'contact customer',
    'repo repository',
    'ref branch branche',
    'unavailable down unreachable',
    'environment env',
    'variable var',
    'org organization',
    'user account member collaborator',
    'limit throttle throttling throttled quota',
    'auth authentication authenticate authenticated authorization credential login signin',
    'token pat bearer',
    'otp 2fa mfa totp factor',
    'emulator mock mocking fake stub nock',
    'bundling bundle bundler serverless lambda esm commonjs',
    'header headers',
    'single raw',
    'dispatcher fetch agent',
    'observability log logging logger debug debugging trace tracing telemetry metric monitoring',
    'connection network',
    'proxy corporate firewall',
    'certificate cert tls ssl ca',
    'signed signing unverified untrusted',
    'upload uploading uploaded attach',
    'download downloading downloaded',
    'webhook hook',
    'paginate pagination page paging',
    'delete remove',
    'pull pr',
    'node nodejs',
    'openapi swagger',
    'policy middleware interceptor',
    'replay cassette vcr',
    'fault simulate simulating chaos',
    'pool keepalive',
    'expire expired expiry expiration',
  ];
  const lower = term.toLowerCase();
  const plain = /[^aeijous]s$/.test(lower) || /[aeo]s$/.test(lower) ? lower.slice(0, -1) : lower;
  const one = plain.replace(/ie$/, 'y');
  if (noise.some((words) => words.split(' ').includes(lower))) return null;
  const [first] = synonyms.find((words) => words.split(' ').includes(one))?.split(' ', 1) ?? [];
  const stem = one === 'hosting' ? one : one.replace(/(?<=\w{4})(?:ing|ed|e)$/, '');
  if (first === undefined) return stem;
  const group = first.toUpperCase();
  return field === undefined ? group : [group, stem];
}

/** Ranks guides before the reference, methods before other symbols, and pages about the project last. */
function boostDocument(id: string, _term: string, stored?: Record<string, unknown>): number {
  // Only a page's first heading has no parent titles.
  const isHead = String(stored?.titles ?? '') === '';
  const factors: readonly (readonly [RegExp, number])[] = [
    [
      /^\/docs\/(?:benchmarks|architecture|fleet-protocol|endpoints|foreign-clients)|^\/C[A-Z]+/,
      0.3,
    ],
    [/^\/docs\/(?:coming-from|recipes)/, isHead ? 1.2 : 0.5],
    [/^\/docs\/(?:errors|options)/, 0.6],
    [/^\/recipes\//, 2],
    [/^\/docs\/testing/, isHead ? 2.6 : 1.1],
    [/^\/docs\/emulator/, isHead ? 1.8 : 1.4],
    [/^\/docs\/doctor/, isHead ? 1.8 : 1],
    [/^\/docs\/start#(?:install|versions)/, 2],
    // Ranks these sections lower, because other guides explain caches, limits and sessions.
    [/^\/docs\/fleets/, isHead ? 2.1 : 1.2],
    [/^\/docs\//, isHead ? 2.1 : 1.6],
    [/#(?:asynciterator|catch|constructor|finally|then)$|Hooks#test$/, 0.2],
    [/^\/api\/\w+\/(?:\w+Client|OAuthWebFlow|Wait)#/, isHead ? 0.4 : 0.9],
    [/^\/api\/(?:hosting|support|console)\/[A-Z][a-zA-Z]+#/, isHead ? 0.4 : 1.5],
  ];
  return factors.find(([pattern]) => pattern.test(id))?.[1] ?? 0.4;
}

/** Settings for the site's search, also used by its test. */
export const miniSearch: {
  readonly options: Pick<Options, 'processTerm' | 'tokenize'>;
  readonly searchOptions: SearchOptions;
} = {
  options: { processTerm, tokenize },
  searchOptions: {
    // In short words, a single letter can change the meaning. Uppercase synonym groups must match exactly.
    fuzzy: (term: string) => (term.length > 4 && term === term.toLowerCase() ? 0.2 : false),
    // Numbers must match completely, so that 50 doesn't find 500. So must short words in longer queries.
    prefix: (term, _index, terms) =>
      !/^(?:\d+|[A-Z]+)$/.test(term) && (term.length > 2 || terms.length === 1),
    boost: { title: 3.5, text: 1, titles: 2 },
    // Status and error codes identify a page better than other words in the query.
    boostTerm: (term: string) => {
      if (/^(?:\d{3}|e[a-z]+(?:reset|refused|notfound|timedout|_again))$/.test(term)) return 2;
      const common =
        /^(?:add|answer|api|app|call|chang|client|creat|delete|github|list|method|new|not|request|set|updat|way|work)$/i;
      return common.test(term) ? 0.5 : 1;
    },
    boostDocument,
  },
};

/**
 * Returns the part of a page to index. Excludes code in the reference and in recipes, pages that repeat
 * the reference, and benchmark results.
 */
export function searchable(path: string, markdown: string): string {
  if (/^(?:docs\/resources|api\/schemas)\//.test(path)) return '';
  if (path === 'docs/benchmarks.md') return markdown.replaceAll(/^\|.*$/gm, '');
  if (!/^(?:api|recipes)\//.test(path)) return markdown;
  const prose = markdown.replaceAll(/^```[\s\S]*?^```$/gm, '');
  const heading =
    /^(?:(?:#|###|#####) .*|#+ (?:Parameters|Returns|Throws|Example|Type Literal))$/gm;
  return path.startsWith('api/') ? prose.replaceAll(heading, '') : prose;
}
