import type { AuthorizeInput } from '../../../src/hosting/index.js';
import { application, type OAuthCase } from '../case.js';

const { clientId, clientSecret } = application;
const redirectUri = 'https://app.example.com/cb?x=1';
const exchange = {
  row: 'POST /login/oauth/access_token',
  operation: 'oauth.exchangeCode',
  url: '/login/oauth/access_token',
  status: 200,
} as const;
const token = {
  accessToken: 'e72e16c7',
  tokenType: 'bearer',
  scopes: ['repo', 'gist'],
  missingScopes: [],
};

export const oauth: readonly OAuthCase[] = [
  {
    ...exchange,
    call: (flow) => flow.exchangeCode({ code: 'the code', redirectUri }),
    form: `code=the%20code&redirect_uri=https%3A%2F%2Fapp.example.com%2Fcb%3Fx%3D1&client_id=${clientId}&client_secret=${clientSecret}`,
    accept: 'application/json',
    reply: { access_token: 'e72e16c7', scope: 'repo,gist', token_type: 'bearer' },
    result: token,
  },
  {
    ...exchange,
    call: (flow) => flow.exchangeCode({ code: 'c', format: 'form' }),
    form: `code=c&client_id=${clientId}&client_secret=${clientSecret}`,
    accept: 'application/x-www-form-urlencoded',
    reply: 'access_token=e72e16c7&scope=repo%2Cgist&token_type=bearer',
    replyType: 'application/x-www-form-urlencoded',
    result: token,
  },
  {
    ...exchange,
    call: (flow) => flow.exchangeCode({ code: 'c', format: 'xml' }),
    form: `code=c&client_id=${clientId}&client_secret=${clientSecret}`,
    accept: 'application/xml',
    reply:
      '<OAuth><token_type>bearer</token_type><scope>repo,gist</scope><access_token>e72e16c7</access_token></OAuth>',
    replyType: 'application/xml',
    result: token,
  },
];

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
