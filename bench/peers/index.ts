import type { MakePeer } from './peer.js';

/** Names of the peers, in the order of the report. */
export const peerNames = ['hand', 'triforge', 'octokit', 'got', 'axios', 'ky', 'fetch'] as const;
export type PeerName = (typeof peerNames)[number];

/** Loads one peer and no other, so that none pays for what another brings along. */
export const load: Readonly<Record<PeerName, () => Promise<MakePeer>>> = {
  hand: async () => (await import('./hand.js')).hand,
  triforge: async () => (await import('./triforge.js')).triforge,
  octokit: async () => (await import('./octokit.js')).octokit,
  got: async () => (await import('./got.js')).got,
  axios: async () => (await import('./axios.js')).axios,
  ky: async () => (await import('./ky.js')).ky,
  fetch: async () => (await import('./fetch.js')).globalFetch,
};

/** How each peer is set up, for the report. */
export const setups: Readonly<Record<PeerName, string>> = {
  hand: '`request` of undici 7 with its default agent (keep-alive), `body.json()`, `Link` followed by a regular expression; nothing is checked',
  triforge:
    '`HostingClient` with a token and no other option; every answer is checked against its model and given as it came',
  octokit:
    '`@octokit/rest` 22 with a token; `paginate.iterator`; over the global `fetch`, which keeps connections alive',
  got: 'got 14 (the last for Node.js 20), `responseType: json`, `http.Agent({ keepAlive: true })`, its own `paginate.each`',
  axios: 'axios 1, http adapter, `http.Agent({ keepAlive: true })`, `Link` followed by hand',
  ky: 'ky 1 (the last for Node.js 20), over the global `fetch`, `Link` followed by hand',
  fetch:
    'the global `fetch` of Node.js with its default agent (keep-alive), `Link` followed by hand',
};
