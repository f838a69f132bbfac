/**
 * Words that people search for, by the URL of the page or section that they need. Only the search index
 * contains these words, so use them for words that don't fit the text: other names for the same thing, other
 * products, typical problems and questions.
 */
export const searchWords: Readonly<Record<string, string>> = {
  '/docs/start':
    'hello world, first steps, simple example, basic usage, tutorial, introduction, overview, quick example, minimal example',
  '/docs/start#install':
    'npm i triforge, cannot find module triforge, package.json, typescript version, yarn add, pnpm add, bun add, npm package, how to install, ERR_MODULE_NOT_FOUND, module not found, top-level await, ts-node, moduleResolution, ERR_REQUIRE_ESM',
  '/docs/start#versions-of-nodejs':
    'minimum node 18, unsupported engine, runtime, works with bun, works with deno, deno support, bun support, node 22, which node do i need',
  '/docs/connect':
    'configure client, api url, base url, host, server address, ghe, ghes, github enterprise server, on-premise, api.github.com, github.com, initialize the client, create a client, new HostingClient',
  '/docs/connect#404-not-found':
    'repository exists but not found, private repo, wrong url, missing api v3 path',
  '/docs/connect#401-bad-credentials':
    'invalid token, my token is invalid, unauthorized, login fails, token does not work, token expired, unauthorised, 401',
  '/docs/connect#missing-token': 'token undefined, token is empty',
  '/docs/connect#html-instead-of-json':
    'SyntaxError unexpected token doctype, invalid json, got a login page, sso page, not valid json',
  '/docs/connect#certificate-and-tls-errors':
    'unable to get local issuer certificate, certificate has expired, hostname does not match, wrong version number',
  '/docs/connect#connection-errors':
    'TypeError: fetch failed, fetch failed, connection refused, connection reset, socket hang up, other side closed, cannot connect, dns lookup failed, getaddrinfo, host unreachable, vpn, network down, connection closed, EPIPE',
  '/docs/connect#github-enterprise': 'ghe version, old ghes, vendor, api version header',
  '/docs/connect#custom-headers-for-every-request':
    'default headers, extra header, api gateway, user agent, cookie',
  '/docs/requests': 'await result, status code, response headers, return value',
  '/docs/requests#close-a-client-and-exit':
    'script hangs, never exits, open handles, jest did not exit, memory leak, dispose, graceful shutdown, sigterm',
  '/docs/error-handling':
    'try catch, exception, unhandledRejection, UnhandledPromiseRejection, uncaught error, error codes, which errors can a call throw',
  '/docs/error-handling#was-my-write-executed':
    'did it succeed after a timeout, created twice, connection lost during write, partial failure, unknown outcome, was the release created or not, was it created, was the request sent',
  '/docs/error-handling#error-fields':
    'error message, status code of an error, http status, catch 404, request id, x-github-request-id',
  '/docs/error-handling#validation-of-responses':
    'schema mismatch, expected string received null, unexpected response, type error at runtime, turn off validation, strict mode',
  '/docs/limits-and-retries#hourly-rate-limit':
    'api rate limit exceeded, ratelimit, 5000 requests per hour, 60 requests, remaining calls, how many calls left, quota left, reset time, wait for reset, how long until the reset, when does the limit reset',
  '/docs/limits-and-retries#secondary-limits':
    'abuse detection mechanism, you have exceeded a secondary rate limit, burst, too many requests, 429, bottleneck, throttle, please wait a few minutes before you try again, why is my call waiting',
  '/docs/limits-and-retries#concurrency':
    'parallel requests, p-limit, promise.all, semaphore, queue requests, requests at the same time',
  '/docs/limits-and-retries#retries':
    'retry on failure, retry network errors, flaky server, 502 bad gateway, 503, exponential backoff, gateway timeout 504, server returns 502 sometimes',
  '/docs/limits-and-retries#writes-and-idempotency-keys':
    'post retried, duplicate request, sent twice, safe to retry a post',
  '/docs/limits-and-retries#number-of-retries':
    'max retries, disable retry, retry count, retry delay, attempts',
  '/docs/limits-and-retries#timeouts-and-aborts':
    'timed out, time out, request takes too long, slow server, call hangs, cancel running request, stop a call, ETIMEDOUT, increase timeout, deadline',
  '/docs/pagination':
    'await list returns an object, toArray is not a function, list is not iterable, stop after 10 items, next page, only first 30 results, get all results, loop over all items, async iterator, per_page, list everything, link header, collect all items into an array, pagination example, get page 2, second page, page number',
  '/docs/pagination#prefetching': 'preload, read ahead, lazy',
  '/docs/pagination#fetch-pages-in-parallel':
    'faster list, slow pagination, speed up, concurrently',
  '/docs/pagination#items-that-move-while-you-read':
    'duplicate items, missing items, inconsistent list, same item twice, skipped records',
  '/docs/pagination#resume-a-list':
    'continue where it stopped, checkpoint, cursor, restart after crash, page token',
  '/docs/pagination#support-api-searches': 'total count, number of results',
  '/docs/auth':
    'log in, api key, username and password, basic auth, personal access token, pat, password, bearer token, oauth token, where to put the token',
  '/docs/auth#one-time-passwords':
    'two-factor code, one-time password, 2fa code, authenticator app, mfa, X-GitHub-OTP, totp, 6-digit code, sms code',
  '/docs/auth#rotating-tokens':
    'token refresh, expired token, short-lived token, installation token, renew, dynamic token, read token from a file, kubernetes secret',
  '/docs/auth#multiple-users':
    'switch account, impersonate, several tokens, act as another user, multi-tenant',
  '/docs/auth#environment-variables':
    'env vars, dotenv, process.env, configure without code, ci secrets',
  '/docs/auth#where-credentials-go': 'token leak, redirect to other host, trusted origin',
  '/docs/auth#scopes':
    'which permissions does my token have, missing scope, x-oauth-scopes, insufficient scope',
  '/docs/oauth':
    'login with github button, sign in with, sso, passport, authorize app, client id, connect an account, let users log in, social login, oauth flow',
  '/docs/oauth#2-handle-the-callback':
    'exchange code for token, redirect handler, callback route, state parameter, csrf',
  '/docs/uploads-and-downloads#upload-a-release-asset':
    'attach binary, attach zip, send a file, upload large file, multipart, progress bar, stream upload, upload buffer, upload string, content type, replace asset, progress callback, onProgress',
  '/docs/uploads-and-downloads#downloads':
    'save file, download zip, download tarball, artifact, binary, blob, arraybuffer',
  '/docs/uploads-and-downloads#download-a-release-asset-to-a-file':
    'download interrupted, resume download, write to disk, large file, progress bar, download asset to disk, save to disk, progress callback',
  '/docs/uploads-and-downloads#download-as-a-stream':
    'pipe, readable stream, web stream, out of memory',
  '/docs/uploads-and-downloads#read-and-edit-files-in-a-repository':
    'file contents, base64 decode, commit a file, update file, write file, change json file in repo, push a change',
  '/docs/webhooks':
    'web hook, listen for events, github events, receive push event, express endpoint, smee, ngrok, event handler, smee client',
  '/docs/webhooks#share-deliveries-between-processes':
    'event handled twice, duplicate event, deduplicate, redelivery, load balancer',
  '/docs/webhooks#webhook-secrets': 'change secret, rotate secret, without secret',
  '/docs/webhooks#signatures-and-the-raw-body':
    'signature does not match, verify signature, hmac, body parser, express.json, x-hub-signature, validate payload, spoofed event, timingSafeEqual, createHmac, constant-time compare',
  '/docs/webhooks#payloads':
    'event types, payload fields, typescript types of an event, which events exist, subscribe to events',
  '/docs/webhooks#test-your-handlers': 'send fake event, simulate webhook, test webhook locally',
  '/docs/caching':
    'etag, 304 not modified, if-none-match, avoid repeated requests, stale data, cache responses, lru, cache ttl, invalidate cache, clear cache, cache on disk, save rate limit',
  '/docs/proxies-and-tls#use-a-proxy':
    'corporate proxy, company firewall, HTTPS_PROXY ignored, NO_PROXY, 407 proxy authentication required, tunneling socket, socks, zscaler, proxy login',
  '/docs/proxies-and-tls#private-and-self-signed-certificates':
    'internal ca, custom root certificate, mtls, client certificate, disable certificate check, insecure, ignore ssl errors, rejectUnauthorized, ca bundle, pem file',
  '/docs/proxies-and-tls#connection-pools-a-custom-dispatcher':
    'keep-alive, keepalive, https agent, undici agent, max sockets, http2, unix socket, custom fetch, reuse connections',
  '/docs/observability':
    'monitoring, metrics, prometheus, datadog, sentry, grafana, dashboard, opensearch',
  '/docs/observability#logging':
    'debug output, verbose, log every request, see what is sent, winston, log level, TRIFORGE_LOG, print requests, debug env variable, log request body',
  '/docs/observability#events': 'request duration, how long did it take, diagnostics_channel',
  '/docs/observability#traces': 'otel, spans, jaeger, distributed tracing',
  '/docs/bundling':
    'webpack config, rollup, vite, nextjs, next.js, electron, docker image, app router, docker, monorepo',
  '/docs/bundling#esbuild-and-es-modules': 'esm, dynamic require, require is not defined',
  '/docs/bundling#aws-lambda':
    'serverless function, azure functions, google cloud functions, vercel, netlify, reuse client',
  '/docs/bundling#bundle-size-and-startup-time':
    'cold start, package size, tree shaking, slow import, how big, dependencies, install size, first request is slow, slow start',
  '/docs/extending#send-parameters-that-a-method-doesnt-have':
    'missing option, new api field, unknown parameter, extra body field',
  '/docs/extending#use-your-own-schema-for-one-call':
    'field missing in type, property does not exist on type, valibot, override type, rename fields in a response, transform response, custom schema, generics',
  '/docs/extending#models-as-zod-schemas':
    'zod schema, json schema, runtime types, schema of a model, import types',
  '/docs/observability#hooks':
    'middleware, interceptor, before request hook, sign requests, modify request, octokit.hook, plugin system, before and after each request, interceptors, axios interceptor',
  '/docs/other-endpoints':
    'raw request, add own method, issues api, call any url, unsupported endpoint, generic request, custom api call, labels, post json, call /user, post with a custom body, arbitrary endpoint',
  '/docs/not-supported':
    'limitations, missing features, browser, vue, frontend, react native, electron app, desktop app, github app, jwt, installation, graphql, device flow, command line tool, cli, git pull, git push, clone a repository, work in the browser, browser support, probot alternative',
  '/docs/not-supported#repositories':
    'create repository, list repos of an org, list all repositories, delete repo, rename repository, fork, archive, make private, add collaborator, branch rules, topics, default branch, protect branch, protected branches',
  '/docs/not-supported#commits-and-workflows':
    'commit history, list commits, compare commits, commit status, ci status, check runs, deployment, run workflow, workflow dispatch, github actions, action secrets, runners, container registry, compare branches, diff between branches, several files in one commit',
  '/docs/not-supported#issues-and-reviews':
    'create issue, open an issue, close issue, list issues, assign issue, comment on issue, pr comment, comment on a pull request, add label, approve pull request, review pull request, request reviewers',
  '/docs/not-supported#users-and-organizations':
    'get current user, authenticated user, who am i, user profile, user info, email of a user, avatar, list org members, invite to organization, followers',
  '/docs/not-supported#gists-and-code-search':
    'create gist, search code, search repositories, search issues',
  '/docs/stability':
    'semver, breaking changes, versioning policy, production ready, end of life, lts, deprecated, upgrade guide, upgrade to 1.0, new major version',
  '/docs/fleets':
    'several workers, multiple instances, kubernetes, pods, cluster, pm2, horizontal scaling, rate limit across workers, share rate limit between servers, redis, many workers, cron jobs with the same token, supported redis version, triforge/redis',
  '/docs/fleets#when-redis-is-slow-or-unavailable':
    'redis down, redis timeout, redis connection lost',
  '/docs/fleets#data-stored-in-redis': 'redis keys, eviction, NOPERM',
  '/docs/doctor':
    'diagnose, health check, check connection, self test, test my setup, is my server compatible, validate a server before going live, compatibility check',
  '/docs/openapi': 'swagger file, api specification, openapi json, postman collection, rest spec',
  '/docs/openapi#generate-types':
    'codegen, typescript types, client generator, go client, python client',
  '/docs/openapi#mock-the-server': 'prism',
  '/docs/openapi#view-a-document-as-a-web-page': 'swagger ui, redoc',
  '/docs/testing':
    'unit test, mock the api, stub, nock, fake api, mock github api, integration test, mocks, sinon, stub a client, supertest, in-memory server, fake server',
  '/docs/testing#received-requests':
    'assert request was sent, spy, expect call, verify calls, sent body',
  '/docs/testing#in-process-over-http-or-with-msw':
    'mock service worker, msw not intercepting, nock does not work',
  '/docs/testing#oauth': 'fake login page',
  '/docs/testing#webhooks': 'test webhook with emulator, emit event',
  '/docs/emulator-data':
    'fake data, fixtures, seed data, sample data, test repository, create test repo, initial state, reset between tests, mock data, fake organization, fake user, members',
  '/docs/emulator-data#world-files':
    'yaml fixture, load state from file, snapshot, restore, export state',
  '/docs/emulator-data#custom-routes':
    'mock own endpoint, custom response, override route, stub an endpoint, mock issues',
  '/docs/emulator-faults': 'chaos testing, failure injection, simulate errors',
  '/docs/emulator-faults#faults-on-demand':
    'simulate 500, simulate timeout, force error response, mock failure, connection reset in test, simulate 503, test retry logic, test error handling, slow response, inject error, network failure, mock 429, fail once then succeed, random failures, error injection, disconnect in the middle of a response, drop connection, server down, simulate connection lost, simulate slow network, fake 500, server error in test',
  '/docs/emulator-faults#limits-and-time':
    'fake clock, freeze the clock, time travel, fake timers, useFakeTimers, mock date, simulate rate limit, test rate limit, advance the clock',
  '/docs/emulator-server':
    'fake github server, mock server, standalone, docker, docker compose, run emulator in ci, other languages, python tests, local server, port, start emulator from command line, github actions service, curl, keep state, persist, cypress, playwright, java, c#, ruby, end-to-end tests',
  '/docs/recording':
    'vcr, cassette, nock back, polly, capture traffic, real responses, har, fixtures from real server, tape, playback, har file, sanitize recordings, scrub tokens, polly.js',
  '/docs/appliance': 'management console, ghes install, admin api, enterprise server setup',
  '/docs/appliance#install-upload-the-license-and-package':
    'new appliance, license file, ghl, first setup, provision, install license',
  '/docs/appliance#follow-a-configuration-run':
    'wait until configured, configuration progress, apply settings, config apply, poll status, appliance restarts, connection refused during configuration',
  '/docs/appliance#upgrade':
    'update appliance, new version, hotpatch, pkg, upgrade stuck, upgrade fails',
  '/docs/appliance#read-and-update-settings':
    'change setting, smtp, ldap, hostname, private mode, ntp',
  '/docs/appliance#maintenance-mode':
    'downtime, schedule maintenance, maintenance window, turn off maintenance',
  '/docs/appliance#administrators-ssh-keys': 'ssh access, add ssh key, authorized_keys, public key',
  '/docs/support': 'helpdesk, desk.com, zendesk, tickets, crm',
  '/docs/support#the-session':
    'session expired, log in to support api, authenticate, userName apiKey, support api login',
  '/docs/support#update-contacts-and-open-cases':
    'custom fields, close case, reply to customer, create ticket, tags',
  '/docs/support#searching': 'find contact, search tickets, filter',
  '/docs/support#sync-without-losing-changes':
    'incremental sync, changes since date, delta, nightly sync, changed contacts, updated since',
  '/docs/support#dates': 'date format, timezone, invalid date, timestamp',
  '/docs/benchmarks':
    'performance, faster than axios, compared to got, speed, overhead, throughput',
  '/docs/endpoints':
    'list of methods, all methods, api reference, what can it do, supported endpoints, which endpoints',
  '/docs/options': 'client settings, constructor parameters, config, all options, defaults',
  '/docs/errors': 'all error classes, list of errors, error codes',
  '/docs/recipes': 'examples, sample code, code samples, cookbook, how-to, snippets, demo',
  '/CHANGELOG':
    "what's new, whats new, release notes, history, new features, latest version, what changed, changelog",
  '/SECURITY':
    'report a vulnerability, cve, responsible disclosure, security policy, security issue',
  '/CONTRIBUTING':
    'run tests locally, pull request guidelines, development setup, build from source',
  '/recipes/edit-file': 'sha does not match, 409 conflict when updating a file, concurrent edits',
  '/recipes/release-with-assets':
    'publish release from ci, release script, attach files to a release',
  '/recipes/check-pull-request': 'github actions, bot comment, ci check, comment from a workflow',
  '/recipes/fleet-crawler': 'work queue, distributed crawler, several machines',
  '/recipes/audit-organization': 'export csv, who has access, team permissions report',
  '/recipes/sync-contacts': 'sqlite, database, import contacts',
  '/recipes/move-stars': 'copy stars, transfer stars',
  '/api/hosting/Pulls#list':
    'open prs, all pull requests, find pr by branch, prs of a branch, my prs, merge requests, filter by state, closed pull requests, count pull requests, pull requests of a user',
  '/api/hosting/Pulls#get':
    'get a single pull request, pr details, show pr by number, read pr, mergeable',
  '/api/hosting/Pulls#create':
    'open a pr, make a pull request, new merge request, submit pr, draft pull request',
  '/api/hosting/Pulls#update':
    'close pull request, reopen, edit title, change base branch, change description',
  '/api/hosting/Pulls#merge': 'squash merge, rebase merge, accept pr',
  '/api/hosting/Pulls#ismerged': 'is the pr merged',
  '/api/hosting/Pulls#listfiles': 'changed files of a pr, get diff',
  '/api/hosting/Pulls#listcommits': 'commits in a pr',
  '/api/hosting/Releases#list': 'all releases, show releases',
  '/api/hosting/Releases#get': 'release by id, single release',
  '/api/hosting/Releases#getlatest': 'newest version, current version, latest release',
  '/api/hosting/Releases#getbytag': 'release for a tag, find release by tag name',
  '/api/hosting/Releases#create':
    'publish new version, make release, draft release, new release, prerelease',
  '/api/hosting/Releases#update': 'edit release notes, publish draft, rename release, change body',
  '/api/hosting/Releases#delete': 'remove release',
  '/api/hosting/Releases#uploadasset': 'attach file to a release, add binary, upload zip',
  '/api/hosting/Releases#downloadasset':
    'get release file, download binary, download release asset',
  '/api/hosting/Releases#listassets': 'files of a release, all attachments',
  '/api/hosting/Releases#getasset': 'download count, asset size, asset info',
  '/api/hosting/Releases#updateasset': 'rename asset',
  '/api/hosting/Releases#deleteasset': 'remove file from a release',
  '/api/hosting/Contents#get':
    'list directory, list files in a folder, read file, file tree, get file content, show folder',
  '/api/hosting/Contents#getraw': 'raw file, file as text, download a single file',
  '/api/hosting/Contents#getreadme': 'show readme, read readme.md',
  '/api/hosting/Contents#create': 'add a file, commit new file, write file, put file into repo',
  '/api/hosting/Contents#update':
    'change a file, edit file, commit change, overwrite file, save file',
  '/api/hosting/Contents#delete': 'remove file from repo',
  '/api/hosting/Contents#getarchive':
    'download repo as zip, tarball, zipball, source code archive, export repository',
  '/api/hosting/GitRefs#get':
    'sha of a branch, latest commit of a branch, head commit, get tag sha, does branch exist, resolve tag to commit, commit sha of main',
  '/api/hosting/GitRefs#list': 'all branches, all tags, branch names, list tags, list branches',
  '/api/hosting/GitRefs#create':
    'new branch, make branch, create tag, branch from commit, checkout -b',
  '/api/hosting/GitRefs#update': 'force push, fast forward, move branch, reset branch to commit',
  '/api/hosting/GitRefs#delete': 'delete branch, remove tag',
  '/api/hosting/Starring#star': 'star a repo, add star',
  '/api/hosting/Starring#unstar': 'unstar, remove star',
  '/api/hosting/Starring#isstarred': 'did i star, have i starred this repo',
  '/api/hosting/Starring#liststargazers':
    'who starred my repo, number of stars, star count, star history',
  '/api/hosting/Starring#liststarred': 'my stars, repos i starred, favorites',
  '/api/hosting/Starring#liststarredby': 'stars of another user, what someone starred',
  '/api/hosting/Teams#list':
    'all teams of an org, show teams, team id by name, find a team by name',
  '/api/hosting/Teams#get': 'team by id, single team, team details',
  '/api/hosting/Teams#create': 'new team, make a team',
  '/api/hosting/Teams#update': 'rename team, change permission of a team',
  '/api/hosting/Teams#listmembers': 'who is in a team, team members',
  '/api/hosting/Teams#ismember': 'is user in team, membership check',
  '/api/hosting/Teams#addmember': 'invite user to team, add person, add people',
  '/api/hosting/Teams#removemember': 'kick user out of team, lock out, remove person',
  '/api/hosting/Teams#listrepos': 'which repos can a team access, repos of a team',
  '/api/hosting/Teams#hasrepo': 'does team have access to repo',
  '/api/hosting/Teams#addrepo':
    'give team access to repository, grant permission, share repo with team',
  '/api/hosting/Teams#removerepo': 'revoke access of a team, take repo away from team',
  '/api/hosting/Teams#listmine': 'my teams, teams i belong to',
  '/api/hosting/Hooks#list': 'which webhooks does a repo have, all webhooks, show hooks',
  '/api/hosting/Hooks#get': 'single webhook, webhook config',
  '/api/hosting/Hooks#create':
    'add webhook to a repo, register webhook, set up webhook, new webhook',
  '/api/hosting/Hooks#update':
    'disable webhook, deactivate hook, change webhook url, edit webhook events, enable hook',
  '/api/hosting/Hooks#delete': 'remove webhook, unregister',
  '/api/hosting/Hooks#test': 'trigger push event, test webhook push',
  '/api/hosting/Hooks#ping': 'ping webhook, check webhook',
  '/api/hosting/Hub#subscribe': 'pubsubhubbub, websub, subscribe to events',
  '/api/hosting/Hub#unsubscribe': 'pubsubhubbub, websub, stop events',
  '/api/hosting/CommitComments#create': 'comment on a commit, comment on a line, post comment',
  '/api/hosting/CommitComments#get': 'single commit comment, read one comment',
  '/api/hosting/CommitComments#list': 'all commit comments of a repo',
  '/api/hosting/CommitComments#update': 'edit comment',
  '/api/hosting/CommitComments#delete': 'remove comment',
  '/api/hosting/Pages#get': 'github pages, pages url, custom domain, cname, pages status',
  '/api/hosting/Pages#getlatestbuild': 'did pages build fail, last pages build, pages build error',
  '/api/hosting/Pages#listbuilds': 'pages build history',
  '/api/hosting/RateLimits#get':
    'how many requests are left, how many calls do i have left, check quota',
  '/api/hosting/Admin-stats#get':
    'number of users on the instance, number of repos, server statistics, usage report, ghe stats, license seats',
  '/api/hosting/Authorizations#checktoken':
    'is token valid, validate token, introspect token, token owner',
  '/api/hosting/Authorizations#resettoken': 'regenerate token, rotate oauth token',
  '/api/hosting/Authorizations#revoketoken':
    'log out user, invalidate token, delete oauth token, logout, sign out a user',
  '/api/hosting/Authorizations#revokealltokens': 'log out all users',
  '/api/hosting/Authorizations#create':
    'create token with username and password, create token via api',
  '/api/hosting/Authorizations#list': 'my tokens, all my access tokens',
  '/api/hosting/Authorizations#update': 'add scope to a token, change token permissions',
  '/api/hosting/Authorizations#delete': 'revoke personal access token, delete token',
  '/api/console/Maintenance#set':
    'enable maintenance mode, put server in maintenance, disable maintenance',
  '/api/console/Maintenance#get': 'is maintenance on, maintenance status, open connections',
  '/api/console/Settings#get': 'read settings, show configuration, dump settings',
  '/api/console/Settings#update': 'change setting, set smtp, ldap, hostname',
  '/api/console/Settings#diffsettings': 'compare settings, dry run',
  '/api/console/Authorized-keys#add': 'add ssh key, upload public key',
  '/api/console/Authorized-keys#delete': 'remove ssh key',
  '/api/console/Authorized-keys#list': 'which ssh keys have access',
  '/api/console/ConsoleClient#upgrade': 'install new version, renew license',
  '/api/console/ConsoleClient#configcheck': 'configuration progress',
  '/api/console/ConsoleClient#configure': 'apply settings, ghe-config-apply, start configuration',
  '/api/support/Contacts#search':
    'find customer by email, find contact by name, all contacts, filter contacts',
  '/api/support/Contacts#get': 'single contact, customer by id',
  '/api/support/Contacts#create': 'add customer, new contact, import contact',
  '/api/support/Contacts#update': 'update contact, edit customer, change email or phone',
  '/api/support/Contacts#updatetags': 'remove tag from contact, tag a customer',
  '/api/support/Contacts#addprofile': 'link twitter or email profile',
  '/api/support/Contacts#changedsince': 'changed contacts',
  '/api/support/Cases#search':
    'find tickets, list all cases, filter cases, tickets of a customer, cases of a contact',
  '/api/support/Cases#get': 'single ticket, ticket by id',
  '/api/support/Cases#create': 'open a ticket, new case, new support request',
  '/api/support/Cases#update':
    'close ticket, resolve case, change status of a case, assign case, set priority',
  '/api/support/Cases#listmessages': 'conversation of a ticket, read replies',
  '/api/support/Cases#addmessage': 'reply to ticket, add note, attach message, comment on a case',
  '/api/support/Cases#updatetags': 'tag a ticket, remove tag from case',
  '/api/support/Cases#changedsince': 'changed tickets, sync cases',
  '/docs/errors#permissionerror':
    'must have admin rights, resource not accessible, access denied, missing permission',
  '/docs/errors#unprocessableerror': 'validation failed, already_exists, invalid field',
  '/docs/errors#ratelimiterror': 'api rate limit exceeded error',
  '/docs/coming-from-octokit': 'octokit alternative, octokit vs triforge, replace octokit',
  '/docs/coming-from-python-and-go':
    'golang, gogithub, github.NewClient, python library, from github import Github',
  '/docs/coming-from-octokit-webhooks': 'octokit webhooks, webhooks.on, verifyAndReceive',
  '/docs/requests#how-to-call-a-method':
    'empty string, undefined input, optional parameter, input types, must be a non-empty string',
  '/docs/oauth#oauth-errors':
    'redirect_uri is not associated with this application, code expired, access_denied, user denied access',
  '/docs/emulator-server#initial-data-clock-and-saved-state':
    'persist emulator data, save data between restarts, keep data after restart',
  '/docs/stability#deprecation': 'deprecated method, deprecation warning',
};
