import { readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import MiniSearch from 'minisearch';
import { expect, test } from 'vitest';
import { miniSearch } from '../../docs/.vitepress/search.js';
import { searchWords } from '../../docs/.vitepress/search-words.js';

const chunks = new URL('../../site/assets/chunks/', import.meta.url);
const name = readdirSync(chunks).find((file) => file.startsWith('@localSearchIndex'));
const { default: json }: { default: string } = await import(
  fileURLToPath(new URL(name ?? 'no index', chunks))
);
const index = MiniSearch.loadJSON(json, {
  storeFields: ['title', 'titles'],
  searchOptions: miniSearch.searchOptions,
  ...miniSearch.options,
});
/** Returns the URLs of the results, best first. */
const search = (query: string): string[] => index.search(query).map(({ id }) => String(id));

test.each([
  ['retry', '/docs/limits-and-retries'],
  ['timeout', '/docs/limits-and-retries'],
  ['rate limit', '/docs/limits-and-retries'],
  ['token', '/docs/auth'],
  ['authentication', '/docs/auth'],
  ['two-factor', '/docs/auth'],
  ['upload', '/docs/uploads-and-downloads'],
  ['download', '/docs/uploads-and-downloads'],
  ['oauth', '/docs/oauth'],
  ['webhook secret', '/docs/webhooks'],
  ['emulator', '/docs/testing'],
  ['mock', '/docs/testing'],
  ['logging', '/docs/observability'],
  ['debug', '/docs/observability'],
  ['proxy', '/docs/proxies-and-tls'],
  ['self-signed certificate', '/docs/proxies-and-tls'],
  ['list pull requests', '/api/hosting/Pulls#list'],
  ['create release', '/api/hosting/Releases#create'],
  ['cursor', '/docs/pagination'],
  ['upgrade appliance', '/docs/appliance'],
  ['license upload', '/docs/appliance'],
  ['maintenance mode', '/docs/appliance'],
  ['update settings management console', '/docs/appliance#read-and-update-settings'],
  ['ssh keys', '/docs/appliance'],
  ['retry after', '/docs/limits-and-retries'],
  ['cancel request', '/docs/limits-and-retries'],
  ['rate limit across workers', '/docs/fleets'],
  ['redis cluster', '/docs/fleets'],
  ['resume list', '/docs/pagination#resume-a-list'],
  ['duplicate items in list', '/docs/pagination#items-that-move-while-you-read'],
  ['download progress', '/docs/uploads-and-downloads'],
  [
    'download release asset binary to file',
    '/docs/uploads-and-downloads#download-a-release-asset-to-a-file',
  ],
  ['token expired refresh', '/docs/auth#rotating-tokens'],
  ['otp code wrong', '/docs/auth#one-time-passwords'],
  ['session expired', '/docs/support#the-session'],
  ['process does not exit', '/docs/requests#close-a-client-and-exit'],
  ['keep alive sockets', '/docs/proxies-and-tls'],
  ['cache 304', '/docs/caching'],
  ['hmac signature', '/docs/webhooks'],
  ['next.js', '/docs/bundling'],
  ['commonjs require', '/docs/bundling'],
  ['octokit', '/docs/coming-from-octokit'],
  ['migrate from PyGithub', '/docs/coming-from-python-and-go'],
  ['middleware', '/docs/observability'],
  ['swagger', '/docs/openapi'],
  ['vcr cassette', '/docs/recording'],
  ['simulate a 500', '/docs/emulator-faults'],
  ['delete hook', '/api/hosting/Hooks#delete'],
  ['how do i merge a pull request', '/api/hosting/Pulls#merge'],
  ['401 Bad credentials', '/docs/connect#401-bad-credentials'],
  ['SELF_SIGNED_CERT_IN_CHAIN', '/docs/connect#certificate-and-tls-errors'],
  ['connect ECONNREFUSED 127.0.0.1:443', '/docs/connect#connection-errors'],
  ['Dynamic require of "node:net" is not supported', '/docs/bundling#esbuild-and-es-modules'],
  ['TimeoutError', '/docs/errors#timeouterror'],
  ['idempotency key', '/docs/limits-and-retries#writes-and-idempotency-keys'],
  ['custom ca certificate', '/docs/proxies-and-tls'],
  ['read file contents', '/docs/uploads-and-downloads#read-and-edit-files-in-a-repository'],
  ['socket hang up', '/docs/connect#connection-errors'],
  ['404 but the repo exists', '/docs/connect#404-not-found'],
  ['unexpected token < in JSON', '/docs/connect#html-instead-of-json'],
  ['x-hub-signature-256', '/docs/webhooks#signatures-and-the-raw-body'],
  ['AbortController', '/docs/limits-and-retries#timeouts-and-aborts'],
  ['fake timers', '/docs/emulator-faults#limits-and-time'],
  ['breaking changes', '/docs/stability'],
  ['certificate has expired', '/docs/connect#certificate-and-tls-errors'],
  ['octokit.rest.repos.createRelease', '/docs/coming-from-octokit#releases'],
  ['create branch', '/api/hosting/GitRefs#create'],
  ['team members add', '/api/hosting/Teams#addmember'],
  ['star repo', '/api/hosting/Starring#star'],
  ['create issue comment', '/docs/not-supported#issues-and-reviews'],
  ['cloudflare workers', '/docs/bundling#cloudflare-workers'],
  ['list branches', '/api/hosting/GitRefs#list'],
  ['request timed out', '/docs/limits-and-retries#timeouts-and-aborts'],
  ['wrong version number ssl', '/docs/connect#certificate-and-tls-errors'],
  ['ratelimit', '/docs/limits-and-retries'],
  ['pkce', '/docs/not-supported'],
  ['two factor code', '/docs/auth#one-time-passwords'],
  ['EAI_AGAIN dns', '/docs/connect#connection-errors'],
  ['invalid token', '/docs/connect#401-bad-credentials'],
  ['github enterprise base url', '/docs/connect'],
  ['env vars', '/docs/auth#environment-variables'],
  ['redirect uri mismatch', '/docs/oauth#oauth-errors'],
  ['x-ratelimit-remaining', '/docs/limits-and-retries#hourly-rate-limit'],
  ['rename asset', '/api/hosting/Releases#updateasset'],
  ['delete file', '/api/hosting/Contents#delete'],
  ['edit release notes', '/api/hosting/Releases#update'],
  ['list my teams', '/api/hosting/Teams#listmine'],
  ['conflict error', '/docs/errors#conflicterror'],
  ['RateLimitError handling', '/docs/errors#ratelimiterror'],
  ['fetch failed', '/docs/connect#connection-errors'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', '/docs/connect#certificate-and-tls-errors'],
  ['UND_ERR_CONNECT_TIMEOUT', '/docs/connect'],
  ['hello world', '/docs/start#getting-started'],
  ["what's new", '/CHANGELOG#changelog'],
  ['clone a repository', '/docs/not-supported'],
  ['unhandled rejection', '/docs/error-handling'],
  ['electron', '/docs/not-supported'],
  ['probot', '/docs/not-supported'],
  ['get pull request', '/api/hosting/Pulls#get'],
  ['get sha of a branch', '/api/hosting/GitRefs#get'],
  ['disable webhook', '/api/hosting/Hooks#update'],
  ['fake data for tests', '/docs/emulator-data'],
  ['run emulator in docker', '/docs/emulator-server'],
  ['simulate 503', '/docs/emulator-faults'],
])("the search for '%s' finds %s first", (query, expected) => {
  const [first = ''] = search(query);
  expect(expected.includes('#') ? first : first.split('#', 1)[0]).toBe(expected);
});

test.each([
  ['how do I retry', '/docs/limits-and-retries'],
  ['too many requests', '/docs/limits-and-retries'],
  ['503 service unavailable', '/docs/error-handling'],
  ['rate limit exceeded', '/docs/limits-and-retries'],
  ['abort signal', '/docs/limits-and-retries'],
  ['2fa', '/docs/auth'],
  ['environment variables', '/docs/auth'],
  ['multiple accounts', '/docs/auth'],
  ['fleet', '/docs/fleets'],
  ['several workers', '/docs/fleets'],
  ['self signed', '/docs/proxies-and-tls'],
  ['connection pool', '/docs/proxies-and-tls'],
  ['mock server', '/docs/emulator-server'],
  ['serverless', '/docs/bundling'],
  ['esm', '/docs/bundling'],
  ['pat', '/docs/auth'],
  ['nock', '/docs/testing'],
  ['raw request', '/docs/other-endpoints'],
  ['headers', '/docs/connect'],
  ['client options', '/docs/options'],
  ['record responses', '/docs/recording'],
  ['semver', '/docs/stability'],
  ['graphql', '/docs/not-supported'],
  ['browser', '/docs/not-supported'],
  ['msw', '/docs/testing'],
  ['pagination parallel', '/docs/pagination'],
  ['for await', '/docs/pagination'],
  ['ETag', '/docs/caching'],
  ['save download to file', '/docs/uploads-and-downloads'],
  ['install', '/docs/start'],
  ['getting started', '/docs/start'],
  ['github enterprise', '/docs/connect'],
  ['custom header', '/docs/connect'],
  ['node version', '/docs/start'],
  ['handle errors', '/docs/error-handling'],
  ['validate response', '/docs/error-handling'],
  ['unknown field', '/docs/extending'],
  ['list stargazers', '/api/hosting/Starring#liststargazers'],
])("the search for '%s' finds %s first or second", (query, expected) => {
  const found = search(query).slice(0, 2);
  expect(expected.includes('#') ? found : found.map((id) => id.split('#', 1)[0])).toContain(
    expected,
  );
});

test.each([
  ['make a release with assets', 'release-with-assets'],
  ['sync contacts to sqlite', 'sync-contacts'],
  ['audit an organization', 'audit-organization'],
  ['edit a file 409', 'edit-file'],
  ['move stars', 'move-stars'],
  ['rotate webhook secrets', 'rotate-hook-secrets'],
  ['sign in users in express', 'oauth-express'],
  ['oauth in fastify', 'oauth-fastify'],
  ['receive webhooks in express', 'webhooks-express'],
  ['receive webhooks in fastify', 'webhooks-fastify'],
  ['receive webhooks in hono', 'webhooks-hono'],
  ['check a pull request from github actions', 'check-pull-request'],
  ['upgrade and reconfigure an appliance', 'upgrade-appliance'],
  ['use a maintenance window', 'maintenance-window'],
  ['test with vitest', 'test-with-vitest'],
  ['test with jest', 'test-with-jest'],
  ['trace with opentelemetry', 'trace-with-opentelemetry'],
  ['use a newer field', 'newer-field'],
  ['log with pino', 'log-with-pino'],
  ['go through a proxy with a private certificate', 'proxy-and-private-ca'],
  ['crawl in parallel', 'parallel-crawl'],
])("the question 'how do I %s' finds the recipe %s first", (words, name) => {
  const [first = ''] = search(`how do I ${words}`);
  expect(first.split('#', 1)[0]).toBe(`/recipes/${name}`);
});

test.each([
  ['a word in the plural', 'retries', 'retry'],
  ['a question', 'how do I upload a file', 'upload file'],
  ['a synonym', '2fa', 'otp'],
  ['a name in snake case', 'https_proxy', 'https proxy'],
  ['a name in camel case', 'updateAsset', 'updateasset update asset'],
])(
  "a search for %s ('%s') has the same top three results as a search for '%s'",
  (_, query, plain) => {
    expect(search(query).slice(0, 3)).toEqual(search(plain).slice(0, 3));
  },
);

test.each([
  ['pagintion', '/docs/pagination'],
  ['authentification', '/docs/auth'],
  ['webook', '/docs/webhooks'],
])("the misspelled word '%s' finds %s first", (query, expected) => {
  const [first = ''] = search(query);
  expect(first.split('#', 1)[0]).toBe(expected);
});

test('every search word belongs to an existing page or section of the site', () => {
  const sections = index.search(MiniSearch.wildcard).map(({ id }) => String(id));
  const known = new Set(sections.flatMap((id) => [id, id.split('#', 1)[0]]));
  expect(Object.keys(searchWords).filter((key) => !known.has(key))).toEqual([]);
});

test('a search for a word that no page contains finds nothing', () => {
  expect(search('xyzzyplugh')).toEqual([]);
});
