// Sign in users with OAuth in Fastify
//
// Sends users to the service, handles the callback, and shows who signed in. A cookie contains the
// state, which is valid for one attempt. [OAuth](../docs/oauth.md#oauth-errors) lists the errors. Over `https`, add
// `Secure` to the cookie.
//
//     npm install fastify
//     npx triforge-emulator -- npx tsx node_modules/triforge/examples/oauth-fastify.ts
import fastify from 'fastify';
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

const app = fastify();
app.get('/', (_request, reply) => reply.type('text/html').send('<a href="/login">Log in</a>'));

app.get('/login', (request, reply) => {
  const redirectUri = `${request.protocol}://${request.host}/callback`;
  const { url, state } = flow.authorizeUrl({ scopes, redirectUri });
  return reply.header('set-cookie', `state=${state}; HttpOnly; SameSite=Lax; Path=/`).redirect(url);
});

app.get('/callback', async (request, reply) => {
  const state = /\bstate=([^;]+)/.exec(request.headers.cookie ?? '')?.[1];
  reply.header('set-cookie', 'state=; Max-Age=0; Path=/').type('text/plain');
  try {
    const { code } = flow.parseCallback(request.url, { state });
    const token = await flow.exchangeCode({ code, requestedScopes: scopes });
    const client = hosting.withAuth(token.accessToken);
    const user = await client.request('GET /user', {}, { schema: User });
    const starred = await client.starring.listStarred().toArray({ limit: 3 });
    return `Signed in: ${user.login}
Granted: ${token.scopes.join(', ') || 'public information'}
Missing: ${token.missingScopes.join(', ') || 'nothing'}
Starred: ${starred.map(({ name }) => name).join(', ')}`;
  } catch (error) {
    if (!isTriforgeError(error) || error.code !== 'oauth') throw error;
    return reply.code(403).send(error.message);
  }
});

console.log(`Open ${await app.listen({ port: Number(PORT), host: '127.0.0.1' })}`);
