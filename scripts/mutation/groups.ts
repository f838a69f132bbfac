/** Files of `src/transport` that are tried together, with the tests that say how they behave. */
export interface Group {
  readonly files: readonly string[];
  /** Tests on real sockets that are run beside the unit and property tests. */
  readonly sockets: readonly string[];
}

/**
 * A fault tried in the middle of the pipeline is met by every test that makes a call: with all tests
 * for all faults, a run would take a day.
 */
export const groups: Readonly<Record<string, Group>> = {
  texts: {
    files: [
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
    ],
    sockets: [],
  },
  policies: {
    files: ['policy/retry', 'http/header-fields', 'http/media-type', 'http/raw-response'],
    sockets: [],
  },
  waiting: {
    files: [
      'policy/wait-queue',
      'policy/emulator-changes',
      'policy/fleet-limits',
      'policy/budgets',
      'policy/budget-share',
      'policy/rate-limiter',
      'dispatch/abort-scope',
    ],
    sockets: ['retry', 'timeouts'],
  },
  cache: {
    files: [
      'policy/cache',
      'policy/cache-entry',
      'policy/memory-store',
      'policy/store-access',
      'policy/stores',
      'dispatch/body-buffer',
      'response/parse-response',
    ],
    sockets: ['cache', 'cache-stores', 'bodies'],
  },
  outcomes: {
    files: [
      'policy/redirects',
      'response/classify',
      'response/answer-errors',
      'response/failure',
      'call-errors',
    ],
    sockets: ['redirects', 'retry', 'bodies', 'timeouts'],
  },
  options: {
    files: [
      'request/input',
      'client-options',
      'options',
      'settings',
      'request/request-spec',
      'request/raw-request',
    ],
    sockets: ['escape-hatch'],
  },
  bodies: {
    files: [
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
    sockets: ['bodies', 'streams'],
  },
  lists: {
    files: [
      'pagination/page-walker',
      'pagination/paginated',
      'pagination/page',
      'http/link-header',
      'pagination/link-pages',
      'pagination/offset-pages',
      'prepared-call',
      'response/answer-info',
    ],
    sockets: ['pagination', 'pagination-leaving', 'pagination-links', 'support-searches'],
  },
  pipeline: {
    files: [
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
    ],
    sockets: [],
  },
};
