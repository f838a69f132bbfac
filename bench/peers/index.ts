import type { MakePeer } from './peer.js';

/** Names of the peers, in report order. */
export const peerNames = [
  'hand',
  'hand, lookahead',
  'triforge',
  'octokit',
  'octokit, JSON.parse',
  'got',
  'axios',
  'ky',
  'fetch',
] as const;
export type PeerName = (typeof peerNames)[number];

/** Loads a single peer so that other peers' imports don't affect the measurement. */
export const load: Readonly<Record<PeerName, () => Promise<MakePeer>>> = {
  hand: async () => (await import('./hand.js')).hand,
  'hand, lookahead': async () => (await import('./hand.js')).lookahead,
  triforge: async () => (await import('./triforge.js')).triforge,
  octokit: async () => (await import('./octokit.js')).octokit,
  'octokit, JSON.parse': async () => (await import('./octokit-json.js')).octokitJson,
  got: async () => (await import('./got.js')).got,
  axios: async () => (await import('./axios.js')).axios,
  ky: async () => (await import('./ky.js')).ky,
  fetch: async () => (await import('./fetch.js')).globalFetch,
};

/** Setup of each peer, for the report. */
export const setups: Readonly<Record<PeerName, string>> = {
  hand: '`request` of undici 7 with its default agent (keep-alive), `body.json()`, `Link` parsed with a regular expression, no validation',
  'hand, lookahead':
    'the same, but the next page is requested before the current page is processed (two more lines)',
  triforge:
    '`HostingClient` with a token and no other option; every response is validated against its model and returned unchanged',
  octokit: '`@octokit/rest` 22 with a token, `paginate.iterator`, the global `fetch` (keep-alive)',
  'octokit, JSON.parse':
    'the same with `JSON.parse` instead of `json-with-bigint`, which `@octokit/request` has used since version 10.0.8',
  got: 'got 14 (the last major version for Node.js 20), `responseType: json`, `http.Agent({ keepAlive: true })`, its own `paginate.each`',
  axios: 'axios 1, http adapter, `http.Agent({ keepAlive: true })`, `Link` parsed by hand',
  ky: 'ky 1 (the last major version for Node.js 20), the global `fetch`, `Link` parsed by hand',
  fetch: 'the global `fetch` of Node.js with its default agent (keep-alive), `Link` parsed by hand',
};
