// Sign in users with OAuth in Express
//
// Sends users to the service, handles the callback, and shows who signed in. A cookie contains the
// state, which is valid for one attempt. [OAuth](../docs/oauth.md#oauth-errors) lists the errors. Over `https`, set
// `secure: true` for the cookie.
//
//     npm install express @types/express
//     npx triforge-emulator -- npx tsx node_modules/triforge/examples/oauth-express.ts
import express from 'express';
import { HostingClient, isTriforgeError } from 'triforge';
import { OAuthWebFlow, User } from 'triforge/hosting';

const { TRIFORGE_BASE_URL = '', TRIFORGE_OAUTH_AUTH_URL = '', PORT = '8080' } = process.env;
const { TRIFORGE_OAUTH_CLIENT_ID = '', TRIFORGE_OAUTH_CLIENT_SECRET = '' } = process.env;
const scopes = ['user', 'public_repo'];
const flow = new OAuthWebFlow({
  authUrl: TRIFORGE_OAUTH_AUTH_URL,
  clientId: TRIFORGE_OAUTH_CLIENT_ID,
  clientSecret: TRIFORGE_OAUTH_CLIENT_SECRET,
});
const hosting = new HostingClient({ baseUrl: TRIFORGE_BASE_URL });

const app = express();
app.get('/', (_request, response) => response.send('<a href="/login">Log in</a>'));

app.get('/login', (request, response) => {
  const redirectUri = `${request.protocol}://${request.host}/callback`;
  const { url, state } = flow.authorizeUrl({ scopes, redirectUri });
  response.cookie('state', state, { httpOnly: true, sameSite: 'lax' }).redirect(url);
});

app.get('/callback', async (request, response) => {
  const state = /\bstate=([^;]+)/.exec(request.headers.cookie ?? '')?.[1];
  response.clearCookie('state').type('text');
  try {
    const { code } = flow.parseCallback(request.url, { state });
    const token = await flow.exchangeCode({ code, requestedScopes: scopes });
    const client = hosting.withAuth(token.accessToken);
    const user = await client.request('GET /user', {}, { schema: User });
    const starred = await client.starring.listStarred().toArray({ limit: 3 });
    response.send(`Signed in: ${user.login}
Granted: ${token.scopes.join(', ') || 'public information'}
Missing: ${token.missingScopes.join(', ') || 'nothing'}
Starred: ${starred.map(({ name }) => name).join(', ')}`);
  } catch (error) {
    if (!isTriforgeError(error) || error.code !== 'oauth') throw error;
    response.status(403).send(error.message);
  }
});

const server = app.listen(Number(PORT), '127.0.0.1', () => {
  const address = server.address();
  console.log(`Open http://127.0.0.1:${typeof address === 'object' ? address?.port : PORT}`);
});
