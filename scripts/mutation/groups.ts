/** Files of `src` that are tried together, with the tests that say how they behave. */
export interface Group {
  /** Below `src`: names without `.ts`, and folders that end in a slash; in `folder/*`, its files. */
  readonly files: readonly string[];
  /** Below `test`: files without `.test.ts`, and folders that end in a slash; in the order they run. */
  readonly tests: readonly string[];
  /**
   * `thread` keeps one thread for all faults. `vitest` makes a new one for each, which takes ten times
   * as long: for tests that replace timers or modules.
   */
  readonly runner: 'thread' | 'vitest';
}

/** Tests of the transport's parts; those of sockets that a group needs stand beside them. */
function transport(files: readonly string[], ...sockets: readonly string[]): Group {
  return {
    files: files.map((file) => `transport/${file}`),
    tests: [
      'unit/transport/',
      'unit/errors/',
      'property/',
      ...sockets.map((name) => `socket/${name}`),
    ],
    runner: 'vitest',
  };
}

function emulator(files: readonly string[], ...tests: readonly string[]): Group {
  return { files: files.map((file) => `testing/${file}`), tests, runner: 'thread' };
}

/**
 * A fault tried in the middle of the pipeline is met by every test that makes a call: with all tests
 * for all faults, a run would take a day.
 */
export const groups: Readonly<Record<string, Group>> = {
  webhooks: {
    files: ['webhooks/'],
    tests: [
      'unit/webhooks/',
      'property/webhooks',
      'socket/webhooks-requests',
      'socket/webhooks-handling',
      'socket/webhooks-emulator',
    ],
    runner: 'thread',
  },
  support: {
    files: ['support/'],
    tests: [
      'unit/support/',
      'property/support-dates',
      'contract/support-rows',
      'contract/support-console-fields',
      'socket/support-inputs',
      'socket/support-searches',
      'emulator/support-sessions',
      'emulator/support-changes',
      'emulator/support-cases',
    ],
    runner: 'thread',
  },
  console: {
    files: ['console/'],
    tests: [
      'unit/console/',
      'contract/console-rows',
      'contract/support-console-fields',
      'socket/console-client',
      'socket/console-provisioning',
      'socket/console-upload-failures',
      'socket/console-waiting',
      'socket/console-writes',
    ],
    runner: 'thread',
  },
  oauth: {
    files: ['hosting/oauth/'],
    tests: ['unit/hosting/oauth', 'socket/oauth', 'emulator/oauth-flow', 'socket/oauth-emulator'],
    runner: 'thread',
  },
  auth: {
    files: ['hosting/auth/', 'hosting/*', '*'],
    tests: [
      'unit/hosting/schemes',
      'unit/hosting/scopes',
      'unit/hosting/inputs',
      'property/scopes',
      'socket/auth',
      'socket/options',
      'contract/hosting-rows',
    ],
    runner: 'thread',
  },
  resources: {
    files: ['hosting/resources/'],
    tests: [
      'unit/hosting/inputs',
      'unit/hosting/hub',
      'unit/hosting/variants',
      'contract/hosting-rows',
      'socket/path-names',
      'socket/uploads',
      'socket/misread-answers',
      'emulator/resources',
      'emulator/git-data',
      'emulator/hosting-client',
      'emulator/authorizations',
      'emulator/hooks',
      'emulator/starring',
      'emulator/teams',
    ],
    runner: 'thread',
  },
  models: {
    files: ['hosting/models/', 'schema/', 'schemas/', 'errors/', 'extend/'],
    tests: [
      'unit/schema/',
      'unit/schemas/',
      'unit/hosting/variants',
      'contract/fields',
      'recorded/hosting-models',
      'unit/transport/call-errors',
      'unit/transport/extension',
      'unit/transport/response/',
    ],
    runner: 'thread',
  },
  redis: {
    files: ['redis/'],
    tests: ['fleet/engine', 'fleet/session', 'fleet/gone'],
    runner: 'thread',
  },
  doctor: { files: ['doctor/'], tests: ['doctor/deviations', 'doctor/doctor'], runner: 'thread' },
  'emulator-support': emulator(
    ['support/'],
    'emulator/support-sessions',
    'emulator/support-contacts',
    'emulator/support-cases',
    'emulator/support-changes',
    'emulator/support-searches',
    'emulator/support-sockets',
    'emulator/worlds',
    'emulator/scenes',
  ),
  'emulator-console': emulator(
    ['console/'],
    'emulator/console',
    'emulator/console-uploads',
    'emulator/worlds',
  ),
  'emulator-recording': emulator(['recording/'], 'emulator/recording'),
  'emulator-worlds': emulator(['world/'], 'emulator/worlds'),
  'emulator-hosting': emulator(
    ['hosting/'],
    'emulator/hosting',
    'emulator/resources',
    'emulator/authorizations',
    'emulator/git-data',
    'emulator/hooks',
    'emulator/hook-deliveries',
    'emulator/starring',
    'emulator/star-times',
    'emulator/teams',
    'emulator/rate-limits',
    'emulator/ranges',
    'emulator/oauth-flow',
    'emulator/ways-in',
    'emulator/hosting-client',
    'emulator/sites',
    'emulator/worlds',
    'emulator/scenes',
  ),
  emulator: emulator(
    ['*'],
    'emulator/core',
    'emulator/router',
    'emulator/in-process',
    'emulator/own-routes',
    'emulator/own-endpoints',
    'emulator/sockets',
    'emulator/scenes',
    'emulator/sites',
    'emulator/refused-options',
    'emulator/recording',
    'emulator/worlds',
  ),
  texts: transport([
    'request/uri-template',
    'http/redact',
    'request/body',
    'request/extra-inputs',
    'request/bounded-map',
    'request/fields',
    'http/secret-masks',
    'http/decoded-views',
    'environment',
    'declaration',
    'extension',
    'dispatch/wire-request',
  ]),
  policies: transport([
    'policy/retry',
    'http/header-fields',
    'http/media-type',
    'http/raw-response',
  ]),
  waiting: transport(
    [
      'policy/wait-queue',
      'policy/emulator-changes',
      'policy/fleet-limits',
      'policy/budgets',
      'policy/budget-share',
      'policy/slot-share',
      'policy/fleet-pace',
      'policy/rate-limiter',
      'dispatch/abort-scope',
    ],
    'retry',
    'timeouts',
  ),
  cache: transport(
    [
      'policy/cache',
      'policy/cache-entry',
      'policy/memory-store',
      'policy/store-access',
      'policy/stores',
      'dispatch/body-buffer',
      'response/parse-response',
    ],
    'cache',
    'cache-stores',
    'bodies',
  ),
  outcomes: transport(
    [
      'policy/redirects',
      'response/classify',
      'response/answer-errors',
      'response/failure',
      'call-errors',
    ],
    'redirects',
    'retry',
    'bodies',
    'timeouts',
  ),
  options: transport(
    [
      'request/input',
      'client-options',
      'options',
      'settings',
      'request/request-spec',
      'request/raw-request',
    ],
    'escape-hatch',
  ),
  bodies: transport(
    [
      'http/content-coding',
      'upload/multipart',
      'upload/upload',
      'upload/source-check',
      'dispatch/source-watch',
      'download/save',
      'download/partial-file',
      'download/ranges',
      'download/download',
      'download/forms',
      'upload/file-stream',
      'dispatch/response-stream',
    ],
    'bodies',
    'streams',
  ),
  lists: transport(
    [
      'pagination/page-walker',
      'pagination/paginated',
      'pagination/page',
      'http/link-header',
      'pagination/link-pages',
      'pagination/offset-pages',
      'prepared-call',
      'response/answer-info',
    ],
    'pagination',
    'pagination-leaving',
    'pagination-links',
    'support-searches',
  ),
  pipeline: transport([
    'dispatch/exchange',
    'call-settings',
    'event-log',
    'own-schema',
    'connection-options',
    'dispatch/own-dispatchers',
    'transport',
    'api-client',
    'request/diagnostics',
    'dispatch/failure-kind',
    'request/credentials',
    'request/endpoint',
  ]),
};
