import { Authorization, type AuthorizeInput } from '../../../src/hosting/index.js';
import { sampleOf } from '../../unit/hosting/samples.js';
import {
  application,
  basic,
  type HostingCase,
  missing,
  type OAuthCase,
  withStatus,
} from '../case.js';

const authorization = sampleOf(Authorization);
const { clientId: client_id, clientSecret: client_secret } = application;
const location = 'https://code.example.com/api/v3/authorizations/1';
const access_token = 'e72e16c7e42f292c6912e7710c838347ae178b4a';
const named = { client_id, access_token };

const own = (cases: readonly HostingCase[]) => cases.map((each) => ({ ...each, auth: basic }));
const ofApp = (cases: readonly HostingCase[]) =>
  cases.map((each) => ({ ...each, auth: application }));

export const authorizations = withStatus<HostingCase>([
  ...own([
    {
      row: 'GET /authorizations',
      operation: 'authorizations.list',
      call: (c) => c.authorizations.list({ per_page: 100, page: 2 }).toArray(),
      url: '/authorizations?page=2&per_page=100',
      reply: [authorization],
    },
    {
      row: 'GET /authorizations/:id',
      operation: 'authorizations.get',
      call: (c) => c.authorizations.get({ id: 1 }),
      url: '/authorizations/1',
      reply: authorization,
    },
    {
      row: 'POST /authorizations',
      operation: 'authorizations.create',
      call: (c) => c.authorizations.create({ note: 'script', scopes: undefined }),
      url: '/authorizations',
      body: { note: 'script' },
      status: 201,
      location,
      reply: authorization,
    },
    {
      row: 'POST /authorizations',
      operation: 'authorizations.create',
      call: (c) =>
        c.authorizations.create({
          scopes: ['gist', 'repo'],
          note: 'script',
          note_url: 'https://example.com',
          client_id,
          client_secret,
        }),
      url: '/authorizations',
      body: {
        scopes: ['gist', 'repo'],
        note: 'script',
        note_url: 'https://example.com',
        client_id,
        client_secret,
      },
      status: 201,
      location,
      reply: authorization,
    },
    ...([201, 200] as const).map(
      (status): HostingCase => ({
        row: 'PUT /authorizations/clients/:client_id',
        operation: 'authorizations.getOrCreateForApp',
        call: (c) =>
          c.authorizations.getOrCreateForApp({
            client_id,
            client_secret,
            scopes: ['user'],
            note: 'script',
            note_url: 'https://example.com',
          }),
        url: `/authorizations/clients/${client_id}`,
        body: { client_secret, scopes: ['user'], note: 'script', note_url: 'https://example.com' },
        status,
        location,
        reply: authorization,
        result: { authorization, created: status === 201 },
      }),
    ),
    ...(['scopes', 'add_scopes', 'remove_scopes'] as const).map(
      (name): HostingCase => ({
        row: 'PATCH /authorizations/:id',
        operation: 'authorizations.update',
        call: (c) => c.authorizations.update({ id: 1, [name]: ['gist'], note: 'n', note_url: 'u' }),
        url: '/authorizations/1',
        body: { [name]: ['gist'], note: 'n', note_url: 'u' },
        reply: authorization,
      }),
    ),
    {
      row: 'DELETE /authorizations/:id',
      operation: 'authorizations.delete',
      call: (c) => c.authorizations.delete({ id: 1 }),
      url: '/authorizations/1',
    },
  ]),
  ...ofApp([
    {
      row: 'GET /applications/:client_id/tokens/:access_token',
      operation: 'applications.checkToken',
      call: (c) => c.applications.checkToken(named),
      url: `/applications/${client_id}/tokens/${access_token}`,
      reply: authorization,
    },
    {
      row: 'GET /applications/:client_id/tokens/:access_token',
      operation: 'applications.checkToken',
      call: (c) => c.applications.checkToken(named),
      url: `/applications/${client_id}/tokens/${access_token}`,
      status: 404,
      reply: missing,
      result: null,
    },
    {
      row: 'POST /applications/:client_id/tokens/:access_token',
      operation: 'applications.resetToken',
      call: (c) => c.applications.resetToken(named),
      url: `/applications/${client_id}/tokens/${access_token}`,
      reply: authorization,
    },
    {
      row: 'POST /applications/:client_id/tokens/:access_token',
      operation: 'applications.resetToken',
      call: (c) => c.applications.resetToken(named),
      url: `/applications/${client_id}/tokens/${access_token}`,
      status: 404,
      reply: missing,
      error: 'not_found',
    },
    {
      row: 'DELETE /applications/:client_id/tokens',
      operation: 'applications.revokeAllTokens',
      call: (c) => c.applications.revokeAllTokens({ client_id }),
      url: `/applications/${client_id}/tokens`,
    },
    {
      row: 'DELETE /applications/:client_id/tokens/:access_token',
      operation: 'applications.revokeToken',
      call: (c) => c.applications.revokeToken(named),
      url: `/applications/${client_id}/tokens/${access_token}`,
    },
  ]),
]);

const { clientId, clientSecret } = application;
const redirectUri = 'https://app.example.com/cb?x=1';
const exchange = {
  row: 'POST /login/oauth/access_token',
  operation: 'oauth.exchangeCode',
  url: '/login/oauth/access_token',
} as const;
const exchanged = {
  accessToken: 'e72e16c7',
  tokenType: 'bearer',
  scopes: ['repo', 'gist'],
  missingScopes: [],
};

export const oauth = withStatus<OAuthCase>([
  {
    ...exchange,
    call: (flow) => flow.exchangeCode({ code: 'the code', redirectUri }),
    form: `code=the%20code&redirect_uri=https%3A%2F%2Fapp.example.com%2Fcb%3Fx%3D1&client_id=${clientId}&client_secret=${clientSecret}`,
    accept: 'application/json',
    reply: { access_token: 'e72e16c7', scope: 'repo,gist', token_type: 'bearer' },
    result: exchanged,
  },
  {
    ...exchange,
    call: (flow) => flow.exchangeCode({ code: 'c', format: 'form' }),
    form: `code=c&client_id=${clientId}&client_secret=${clientSecret}`,
    accept: 'application/x-www-form-urlencoded',
    reply: 'access_token=e72e16c7&scope=repo%2Cgist&token_type=bearer',
    replyType: 'application/x-www-form-urlencoded',
    result: exchanged,
  },
  {
    ...exchange,
    call: (flow) => flow.exchangeCode({ code: 'c', format: 'xml' }),
    form: `code=c&client_id=${clientId}&client_secret=${clientSecret}`,
    accept: 'application/xml',
    reply:
      '<OAuth><token_type>bearer</token_type><scope>repo,gist</scope><access_token>e72e16c7</access_token></OAuth>',
    replyType: 'application/xml',
    result: exchanged,
  },
]);

const authorizing = { operation: 'oauth.authorizeUrl', status: 302 } as const;

/** Step 1: the URL to which the application redirects the user's browser. */
export const authorize: readonly {
  readonly operation: string;
  readonly status: number;
  readonly input: AuthorizeInput;
  /** Path and query. */
  readonly url: string;
}[] = [
  {
    ...authorizing,
    input: { scopes: ['user', 'repo:status'], state: 'abc+/=', redirectUri },
    url: `/login/oauth/authorize?client_id=${clientId}&redirect_uri=https%3A%2F%2Fapp.example.com%2Fcb%3Fx%3D1&scope=user%2Crepo%3Astatus&state=abc%2B%2F%3D`,
  },
  {
    ...authorizing,
    input: { state: 's' },
    url: `/login/oauth/authorize?client_id=${clientId}&state=s`,
  },
];
