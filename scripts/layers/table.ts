/** A folder of `src` (or a file right below it), and the layers that it may import. */
export interface Layer {
  /** Below `src`. Folders inside that are not layers of their own belong to it. */
  readonly path: string;
  /** What it holds, in one line of the table in docs/architecture.md. */
  readonly holds: string;
  /** Paths of layers further down in the table. */
  readonly imports: readonly string[];
}

/** What nearly every layer builds on. */
export const base: readonly string[] = [
  'option-names.ts',
  'errors',
  'response-info.ts',
  'schema',
  'masks',
];
const request = ['transport/request', 'transport/http', ...base];
const wire = ['transport/dispatch', ...request];
/** What a family builds on: how a request is repeated or goes out is none of its business. */
const transport = [
  'transport',
  'transport/pagination',
  'transport/response',
  'transport/upload',
  ...request,
];

/** Every layer, from what users import down to what all build on: imports only point downwards. */
export const layers: readonly Layer[] = [
  {
    path: 'index.ts',
    holds: 'the entry point `triforge`: the clients, and what all interfaces share',
    imports: ['hosting', 'support', 'console', 'public.ts'],
  },
  {
    path: 'doctor',
    holds: '`triforge-doctor` and `examine`: what a server is like; a user of the clients',
    imports: ['hosting', 'support', 'console', 'transport', 'version.ts', 'schema'],
  },
  {
    path: 'hosting',
    holds: '`HostingClient` and its entry point',
    imports: [
      'hosting/resources',
      'hosting/oauth',
      'hosting/auth',
      'hosting/models',
      'public.ts',
      'transport/download',
      ...transport,
    ],
  },
  {
    path: 'hosting/resources',
    holds: 'a file for each resource: its endpoints as data, and its methods',
    imports: ['hosting/auth', 'hosting/models', 'transport/download', ...transport],
  },
  {
    path: 'hosting/oauth',
    holds: '`OAuthWebFlow`: where to send users, the callback, the exchange of the code',
    imports: ['hosting/auth', ...transport],
  },
  {
    path: 'hosting/auth',
    holds: 'the schemes of credentials, and scopes',
    imports: transport,
  },
  {
    path: 'support',
    holds: '`SupportClient`: the session, contacts, cases, answers in envelopes',
    imports: ['support/models', 'public.ts', 'transport/policy', ...transport],
  },
  {
    path: 'console',
    holds: '`ConsoleClient`: installation, configuration runs, settings, maintenance, keys',
    imports: ['console/models', 'public.ts', ...transport],
  },
  {
    path: 'public.ts',
    holds: 'what the entry points of all three interfaces export',
    imports: ['transport/policy', ...transport],
  },
  {
    path: 'extend',
    holds: 'what users declare endpoints of their own with',
    imports: ['transport', 'transport/request', 'transport/http'],
  },
  {
    path: 'redis',
    holds: '`redisStore`: what processes share, in Redis or Valkey; knows no client but yours',
    imports: ['transport/policy', 'webhooks', ...base],
  },
  {
    path: 'webhooks',
    holds: 'verifies, parses and receives deliveries; knows no client',
    imports: ['hosting/models', ...base],
  },
  {
    path: 'testing',
    holds: 'the emulator, recording and replay, the bridge to msw; knows no client',
    imports: ['hosting/models', 'support/models', 'console/models', ...base],
  },
  {
    path: 'schemas',
    holds: 'the zod schemas behind the models, for users who have zod',
    imports: ['hosting/models', 'support/models', 'console/models', 'schema'],
  },
  {
    path: 'hosting/models',
    holds: 'what the hosting API answers: an interface and a model of the same name',
    imports: ['schema'],
  },
  {
    path: 'support/models',
    holds: 'what the support API answers',
    imports: ['schema'],
  },
  {
    path: 'console/models',
    holds: 'what the Management Console answers',
    imports: ['schema'],
  },
  {
    path: 'transport/download',
    holds: 'downloads as streams, bytes, or a file that is resumed and comes whole or not at all',
    imports: ['transport', 'transport/response', 'transport/policy', ...request],
  },
  {
    path: 'transport',
    holds: 'what the clients build on: the one call path, options and settings',
    imports: [
      'transport/pagination',
      'transport/response',
      'transport/policy',
      ...wire,
      'version.ts',
    ],
  },
  {
    path: 'transport/pagination',
    holds: 'lists: pages by `Link` headers or by offset, the walk over them, the iterators',
    imports: ['transport/response', ...request],
  },
  {
    path: 'transport/response',
    holds: 'from bytes to a result, or to a typed error',
    imports: ['transport/policy', ...wire],
  },
  {
    path: 'transport/policy',
    holds: 'may it go, may it go again, and where to: rate limits, retries, redirects, the cache',
    imports: wire,
  },
  {
    path: 'transport/dispatch',
    holds: 'one attempt on the wire, over the dispatcher of undici',
    imports: request,
  },
  {
    path: 'transport/upload',
    holds: 'bodies that stream: files, Blobs, multipart forms',
    imports: request,
  },
  {
    path: 'transport/request',
    holds: 'a request as data: endpoints, rules for inputs, URI templates, bodies, credentials',
    imports: ['transport/http', ...base],
  },
  {
    path: 'transport/http',
    holds: 'what the RFCs say of headers; URLs and texts that are fit to be shown',
    imports: ['errors', 'response-info.ts', 'masks'],
  },
  {
    path: 'option-names.ts',
    holds: 'refuses options that are not known',
    imports: ['errors', 'schema'],
  },
  {
    path: 'errors',
    holds: 'every error class with its code',
    imports: ['response-info.ts', 'schema'],
  },
  {
    path: 'response-info.ts',
    holds: 'the facts of a request and its answer, as types',
    imports: [],
  },
  {
    path: 'schema',
    holds: 'models: zod schemas that the compiler holds equal to interfaces',
    imports: [],
  },
  {
    path: 'masks',
    holds: 'finds secrets in texts, in whichever encoding they are',
    imports: [],
  },
  {
    path: 'version.ts',
    holds: 'the version, as it is sent in `User-Agent`',
    imports: [],
  },
];
