// Sign in users with OAuth in Hono
//
// Sends users to the service, handles the callback, and shows who signed in. A cookie contains the
// state, which is valid for one attempt. [OAuth](../docs/oauth.md#oauth-errors) lists the errors. Over `https`, set
// `secure: true` for the cookie.
//
//     npm install hono @hono/node-server
//     npx triforge-emulator -- npx tsx node_modules/triforge/examples/oauth-hono.ts
import { serve } from '@hono/node-server';
import { Hono } from 'hono';
import { deleteCookie, setCookie } from 'hono/cookie';
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

const app = new Hono();
app.get('/', (context) => context.html('<a href="/login">Log in</a>'));

app.get('/login', (context) => {
  const redirectUri = new URL('/callback', context.req.url).href;
  const { url, state } = flow.authorizeUrl({ scopes, redirectUri });
  setCookie(context, 'state', state, { httpOnly: true, sameSite: 'Lax' });
  return context.redirect(url);
});

app.get('/callback', async (context) => {
  const state = deleteCookie(context, 'state');
  try {
    const { code } = flow.parseCallback(context.req.url, { state });
    const token = await flow.exchangeCode({ code, requestedScopes: scopes });
    const client = hosting.withAuth(token.accessToken);
    const user = await client.request('GET /user', {}, { schema: User });
    const starred = await client.starring.listStarred().toArray({ limit: 3 });
    return context.text(`Signed in: ${user.login}
Granted: ${token.scopes.join(', ') || 'public information'}
Missing: ${token.missingScopes.join(', ') || 'nothing'}
Starred: ${starred.map(({ name }) => name).join(', ')}`);
  } catch (error) {
    if (!isTriforgeError(error) || error.code !== 'oauth') throw error;
    return context.text(error.message, 403);
  }
});

serve({ fetch: app.fetch, port: Number(PORT), hostname: '127.0.0.1' }, ({ port }) => {
  console.log(`Open http://127.0.0.1:${port}`);
});
