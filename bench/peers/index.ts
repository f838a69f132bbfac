import type { MakePeer } from './peer.js';

/** Names of the peers, in the order of the report. */
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

/** Loads one peer and no other, so that none pays for what another brings along. */
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

/** How each peer is set up, for the report. */
export const setups: Readonly<Record<PeerName, string>> = {
  hand: '`request` of undici 7 with its default agent (keep-alive), `body.json()`, `Link` followed by a regular expression; nothing is checked',
  'hand, lookahead':
    'the same, but the next page is asked for when one is there, before it is worked on: five lines more',
  triforge:
    '`HostingClient` with a token and no other option; every answer is checked against its model and given as it came',
  octokit:
    '`@octokit/rest` 22 with a token; `paginate.iterator`; over the global `fetch`, which keeps connections alive',
  'octokit, JSON.parse':
    'the same with `JSON.parse` in place of `json-with-bigint`, which `@octokit/request` parses with from 10.0.8 on',
  got: 'got 14 (the last for Node.js 20), `responseType: json`, `http.Agent({ keepAlive: true })`, its own `paginate.each`',
  axios: 'axios 1, http adapter, `http.Agent({ keepAlive: true })`, `Link` followed by hand',
  ky: 'ky 1 (the last for Node.js 20), over the global `fetch`, `Link` followed by hand',
  fetch:
    'the global `fetch` of Node.js with its default agent (keep-alive), `Link` followed by hand',
};
