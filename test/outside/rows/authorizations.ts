import { seeded } from '../../../src/testing/index.js';
import { found, type Row, type Scene } from '../row.js';
import { authorization, ownTokens, user } from '../views.js';

const { clientId: client_id, clientSecret: client_secret, login } = seeded;
const seedToken = (scene: Scene) => found(ownTokens(scene)[0], 'token of the seed');
const newest = (scene: Scene) => found(ownTokens(scene).at(-1), 'token');
const path = '/applications/:client_id/tokens/:access_token';

/** Adds an application token for the requests below. */
const addAppToken = ({ emulator }: Scene) => {
  emulator.hosting.addToken(login, ['repo'], { clientId: client_id, note: 'of the application' });
};
const ofApp = (scene: Scene) => ({ client_id, access_token: newest(scene).token });
const withUser = (scene: Scene) => {
  return { ...authorization(scene, newest(scene)), user: user(scene, login) };
};

/**
 * Requests for authorizations use the user's password. Requests for an application's tokens use the
 * application's secret.
 */
export const authorizations: readonly Row[] = [
  {
    row: 'GET /authorizations',
    methods: ['oauthAuthorizations.listAuthorizations'],
    as: 'user',
    before: addAppToken,
    parameters: {},
    status: 200,
    data: (scene) => ownTokens(scene).map((each) => authorization(scene, each)),
  },
  {
    row: 'GET /authorizations/:id',
    methods: ['oauthAuthorizations.getAuthorization'],
    as: 'user',
    parameters: (scene) => ({ authorization_id: seedToken(scene).id }),
    status: 200,
    data: (scene) => authorization(scene, seedToken(scene)),
  },
  {
    row: 'POST /authorizations',
    methods: ['oauthAuthorizations.createAuthorization'],
    as: 'user',
    parameters: {
      scopes: ['user', 'gist', 'user:email'],
      note: 'new',
      note_url: 'http://note.example.com',
      client_id,
      client_secret,
    },
    status: 201,
    data: (scene) => authorization(scene, newest(scene)),
    after: (scene) => ({
      'the scopes are normalized': newest(scene).scopes.join() === 'user,gist',
      'the note is stored': newest(scene).note === 'new',
      'the note URL is stored': newest(scene).noteUrl === 'http://note.example.com',
      'the token belongs to the application': newest(scene).clientId === client_id,
    }),
  },
  {
    row: 'PUT /authorizations/clients/:client_id',
    methods: ['oauthAuthorizations.getOrCreateAuthorizationForApp'],
    as: 'user',
    parameters: { client_id, client_secret, scopes: ['repo'], note: 'app' },
    status: 201,
    data: (scene) => authorization(scene, newest(scene)),
    after: (scene) => ({
      'the token belongs to the application': newest(scene).clientId === client_id,
    }),
  },
  {
    row: 'PATCH /authorizations/:id',
    methods: ['oauthAuthorizations.updateAuthorization'],
    as: 'user',
    before: addAppToken,
    parameters: (scene) => ({
      authorization_id: newest(scene).id,
      add_scopes: ['gist'],
      note: 'other',
    }),
    status: 200,
    data: (scene) => authorization(scene, newest(scene)),
    after: (scene) => ({
      'the token has both scopes': newest(scene).scopes.join() === 'repo,gist',
      'the note is updated': newest(scene).note === 'other',
    }),
  },
  {
    row: 'DELETE /authorizations/:id',
    methods: ['oauthAuthorizations.deleteAuthorization'],
    as: 'user',
    before: addAppToken,
    parameters: (scene) => ({ authorization_id: newest(scene).id }),
    status: 204,
    after: (scene) => ({ 'the token is deleted': ownTokens(scene).length === 1 }),
  },
  {
    row: `GET ${path}`,
    methods: ['oauthAuthorizations.checkAuthorization'],
    as: 'application',
    before: addAppToken,
    parameters: ofApp,
    status: 200,
    data: withUser,
  },
  {
    row: `POST ${path}`,
    methods: ['oauthAuthorizations.resetAuthorization'],
    as: 'application',
    before: addAppToken,
    parameters: ofApp,
    status: 200,
    data: withUser,
  },
  {
    row: `DELETE ${path}`,
    methods: ['oauthAuthorizations.revokeAuthorizationForApplication'],
    as: 'application',
    before: addAppToken,
    parameters: ofApp,
    status: 204,
    after: (scene) => ({ 'the token is deleted': ownTokens(scene).length === 1 }),
  },
];
