import { seeded } from '../../src/testing/index.js';
import { found, here, type Row, type Scene } from '../outside/row.js';
import { pull, release } from '../outside/views.js';

// Additional rows for clients in other languages.

const client_id = seeded.clientId;
const ofApplication = ({ emulator }: Scene) =>
  [...emulator.hosting.state.tokens.values()].filter((token) => token.clientId === client_id);

/** Requests for the OAuth flow, an application's tokens, the available hooks, and the hub. */
export const webRows: readonly Row[] = [
  {
    row: 'DELETE /applications/:client_id/tokens',
    methods: [],
    as: 'application',
    before: ({ emulator }) =>
      void emulator.hosting.addToken('mona', ['repo'], { clientId: client_id }),
    parameters: { client_id },
    status: 204,
    after: (scene) => ({ 'all tokens are revoked': ofApplication(scene).length === 0 }),
  },
  {
    row: 'GET /login/oauth/authorize',
    methods: [],
    as: 'application',
    parameters: { client_id, scope: 'gist' },
    status: 302,
    after: ({ emulator }) => {
      const granted = [...emulator.hosting.state.grants.values()].map(({ scopes }) =>
        scopes.join(),
      );
      return { 'a code was created': granted.join() === 'gist' };
    },
  },
  {
    row: 'POST /login/oauth/access_token',
    methods: [],
    as: 'application',
    before: ({ emulator }) => {
      emulator.hosting.state.grants.set('a-code', {
        clientId: client_id,
        login: 'mona',
        scopes: ['gist'],
        redirectUri: undefined,
        expiresAt: Number.POSITIVE_INFINITY,
      });
    },
    parameters: { code: 'a-code' },
    status: 200,
    data: (scene) => ({ access_token: found(ofApplication(scene)[0], 'token').token }),
  },
  {
    row: 'GET /hooks',
    methods: [],
    parameters: {},
    status: 200,
    data: () => ['email', 'irc', 'web'].map((name) => ({ name })),
  },
  {
    row: 'POST /hub',
    methods: [],
    as: 'user',
    parameters: ({ url }: Scene) => ({
      ...here,
      topic: `${url}/acme/rocket/events/push`,
      event: 'push',
      callback: `${url}/receiver`,
      secret: 's',
    }),
    status: 204,
    after: ({ rocket }) => ({
      'the hook exists':
        rocket.hooks[0]?.events.join() === 'push' && rocket.hooks[0].config.secret === 's',
    }),
  },
];

const newestRelease = ({ rocket }: Scene) => found(rocket.releases.at(-1), 'release');

/** Tasks that take several requests. */
export const programRows: readonly Row[] = [
  {
    row: 'GET /repos/:owner/:repo/pulls (all pages)',
    methods: [],
    parameters: { ...here, state: 'all' },
    status: 200,
    data: (scene) => scene.rocket.pulls.toReversed().map((each) => pull(scene, each)),
  },
  {
    row: 'POST /repos/:owner/:repo/releases (with an asset)',
    notInContract: true,
    methods: [],
    parameters: {
      ...here,
      tag_name: 'v9',
      name: 'Nine',
      body: 'Notes',
      asset: { name: 'a.txt', content: 'text' },
    },
    status: 201,
    data: (scene) => release(scene, newestRelease(scene)),
    after: (scene) => {
      const { draft, assets } = newestRelease(scene);
      const [first] = assets;
      return {
        'the release is published': !draft,
        'the release has the asset':
          first?.name === 'a.txt' && first.content?.toString() === 'text',
      };
    },
  },
];
