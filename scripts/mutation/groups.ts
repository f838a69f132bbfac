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
    files: ['uri-template', 'plain-url', 'redact', 'body', 'wire', 'wire-request', 'visited-urls'],
    sockets: [],
  },
  policies: {
    files: [
      'retry',
      'retry-after',
      'rate-limit-headers',
      'media-type',
      'path-values',
      'fingerprint',
      'raw-response',
    ],
    sockets: [],
  },
  waiting: {
    files: ['gate', 'interrupt', 'abort-listeners'],
    sockets: ['retry', 'timeouts'],
  },
  cache: {
    files: ['cache', 'memory-store', 'body-buffer', 'decode', 'validate'],
    sockets: ['cache', 'cache-stores', 'bodies'],
  },
  outcomes: {
    files: ['redirects', 'classify', 'refusal', 'failure', 'outcome'],
    sockets: ['redirects', 'retry', 'bodies', 'timeouts'],
  },
  options: {
    files: ['input', 'options', 'settings', 'request-spec', 'raw-request'],
    sockets: ['escape-hatch'],
  },
  bodies: {
    files: [
      'content-coding',
      'multipart',
      'upload',
      'length-check',
      'source-watch',
      'file-stream',
      'response-stream',
    ],
    sockets: ['bodies', 'streams'],
  },
  lists: {
    files: [
      'crawl',
      'paginated',
      'page',
      'link-header',
      'link-pages',
      'offset-pages',
      'call',
      'answer-info',
    ],
    sockets: ['pagination', 'pagination-leaving', 'pagination-links', 'support-searches'],
  },
  pipeline: {
    files: [
      'follow',
      'exchange',
      'conclude',
      'transport',
      'caller',
      'attempt-events',
      'job',
      'diagnostics',
      'stale-socket',
      'credentials',
      'endpoint',
    ],
    sockets: [],
  },
};
