import type { Options, SearchOptions } from 'minisearch';

/*
 * The functions given to MiniSearch run in the browser from their own text, so they can use nothing
 * outside themselves.
 */

/** Words of a text. A pull request is one thing, and no request. */
function tokenize(text: string): string[] {
  return text.replaceAll(/pull[ -]requests?/gi, 'pull').split(/[^\p{L}\p{N}_]+/u);
}

/** What becomes of a word, in the index and in queries alike: one word stands for all that mean the same. */
function processTerm(term: string): string | null {
  const noise = 'a an and any by can do does for from get how i in is it my of on or the to with';
  const synonyms = [
    'retry retried retrying backoff resend',
    'timeout deadline',
    'limit throttle throttling throttled',
    'auth authentication authenticate authenticated credential login signin',
    'token pat bearer',
    'otp 2fa mfa totp factor',
    'emulator mock mocking fake stub',
    'observability log logging logger debug debugging trace tracing telemetry metric monitoring',
    'proxy corporate firewall',
    'certificate cert tls ssl',
    'signed signing unverified untrusted',
    'upload uploading uploaded attach',
    'download downloading downloaded',
    'webhook hook',
    'paginate pagination page paging',
    'delete remove',
    'pull pr',
  ];
  const lower = term.toLowerCase();
  const plain = /[^aeious]s$/.test(lower) || /[aeo]s$/.test(lower) ? lower.slice(0, -1) : lower;
  const one = plain.replace(/ie$/, 'y');
  if (noise.split(' ').includes(lower)) return null;
  const line = synonyms.find((words) => words.split(' ').includes(one));
  return line?.split(' ', 1)[0] ?? one;
}

/** Guides before the reference, in it methods before the rest, and last what is about the project itself. */
function boostDocument(id: string, _term: string, stored?: Record<string, unknown>): number {
  const factors: readonly (readonly [RegExp, number])[] = [
    [/^\/docs\/(?:benchmarks|mutation|architecture|errors|endpoints)|^\/C[A-Z]+/, 0.3],
    [/^\/docs\/coming-from/, 0.5],
    [/^\/recipes\//, 1.9],
    [/^\/docs\/recipes/, 0.5],
    [/^\/docs\//, 1.5],
    [/^\/api\/testing\//, 0.7],
    [/^\/api\/\w+\/[A-Z][a-zA-Z]+#/, 1.3],
  ];
  const factor = factors.find(([pattern]) => pattern.test(id))?.[1] ?? 1;
  // The head of a page is what the whole page is about.
  return String(stored?.titles ?? '') === '' && factor === 1.5 ? 2.1 : factor;
}

/** How the search works: the same for the site's own and for the test of it. */
export const miniSearch: {
  readonly options: Pick<Options, 'processTerm' | 'tokenize'>;
  readonly searchOptions: SearchOptions;
} = {
  options: { processTerm, tokenize },
  searchOptions: {
    fuzzy: 0.2,
    prefix: true,
    boost: { title: 4, text: 1, titles: 2 },
    boostDocument,
  },
};

/** What of a page is looked through: of recipes and the reference no code, and symbols and methods whole. */
export function searchable(path: string, markdown: string): string {
  if (!/^(?:api|recipes)\//.test(path)) return markdown;
  const prose = markdown.replaceAll(/^```[\s\S]*?^```$/gm, '');
  return path.startsWith('api/') ? prose.replaceAll(/^(?:#|###|#####) .*$/gm, '') : prose;
}
