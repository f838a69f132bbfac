// A web app that signs users in by OAuth and calls the API as them: state in a session, the callback,
// the exchange, fewer scopes than asked for. Runs by itself against the bundled emulator, with a made-up
// browser: `npx tsx examples/oauth-web-app.ts`. With TRIFORGE_AUTH_URL, TRIFORGE_BASE_URL, TRIFORGE_CLIENT_ID,
// TRIFORGE_CLIENT_SECRET and PORT set it serves real users; register http://<host>:<PORT>/callback.
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { HostingClient, isTriforgeError } from 'triforge';
import { OAuthWebFlow } from 'triforge/hosting';
import { createEmulator } from 'triforge/testing';

interface Session {
  state?: string;
}

const scopes = ['user', 'public_repo'];

class WebApp {
  readonly #flow: OAuthWebFlow;
  readonly #hosting: HostingClient;
  readonly #sessions = new Map<string, Session>();

  constructor(flow: OAuthWebFlow, hosting: HostingClient) {
    this.#flow = flow;
    this.#hosting = hosting;
  }

  /** What a session store does for you: one object for each browser. */
  #session(request: IncomingMessage, response: ServerResponse): Session {
    const id = /\bsession=([\w-]+)/.exec(request.headers.cookie ?? '')?.[1] ?? '';
    const known = this.#sessions.get(id);
    if (known) return known;
    const fresh = randomUUID();
    const session: Session = {};
    this.#sessions.set(fresh, session);
    response.setHeader('set-cookie', `session=${fresh}; HttpOnly; SameSite=Lax; Path=/`);
    return session;
  }

  readonly handle = (request: IncomingMessage, response: ServerResponse): void => {
    const session = this.#session(request, response);
    const path = (request.url ?? '/').split('?', 1)[0];
    if (path === '/login') {
      const { url, state } = this.#flow.authorizeUrl({ scopes });
      session.state = state;
      response.writeHead(302, { location: url }).end();
    } else if (path === '/callback') {
      this.#callback(request.url ?? '', session).then(
        (text) => response.end(text),
        (error: unknown) => {
          if (!isTriforgeError(error)) console.error(error);
          const known = isTriforgeError(error) && error.code === 'oauth';
          response.writeHead(known ? 403 : 500).end(known ? error.message : 'Something broke.');
        },
      );
    } else {
      response.end('<a href="/login">Log in</a>');
    }
  };

  async #callback(url: string, session: Session): Promise<string> {
    const { state } = session;
    delete session.state; // a state is good for one attempt
    const { code } = this.#flow.parseCallback(url, { state });
    const token = await this.#flow.exchangeCode({ code, requestedScopes: scopes });
    const auth = { type: 'token', token: token.accessToken } as const;
    const starred = await this.#hosting.withAuth(auth).starring.listStarred().toArray({ limit: 3 });
    return [
      `Granted: ${token.scopes.join(', ') || 'public information'}`,
      `Missing: ${token.missingScopes.join(', ') || 'nothing'}`,
      `Starred: ${starred.map(({ name }) => name).join(', ')}`,
    ].join('\n');
  }
}

async function listen(server: Server, port: number): Promise<string> {
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  return `http://127.0.0.1:${typeof address === 'object' ? address?.port : port}`;
}

/** Logs in as a user would: clicks, approves or cancels, comes back. */
async function browse(appUrl: string, decision: 'approve' | 'deny', forged = false): Promise<void> {
  const login = await fetch(`${appUrl}/login`, { redirect: 'manual' });
  const cookie = login.headers.get('set-cookie')?.split(';', 1)[0] ?? '';
  const authorize = new URL(login.headers.get('location') ?? '');
  const page = await fetch(authorize);
  console.log(`\n# The page says: ${/<h1>(.*)<\/h1>/.exec(await page.text())?.[1]}; ${decision}`);
  const form = new URLSearchParams([...authorize.searchParams, ['decision', decision]]);
  if (forged) form.set('state', 'a state that somebody else made');
  const decided = await fetch(new URL('/login/oauth/authorize', authorize), {
    method: 'POST',
    body: form,
    redirect: 'manual',
  });
  const back = await fetch(decided.headers.get('location') ?? '', { headers: { cookie } });
  console.log(`${back.status} ${await back.text()}`);
}

const { TRIFORGE_AUTH_URL, TRIFORGE_BASE_URL, TRIFORGE_CLIENT_ID, TRIFORGE_CLIENT_SECRET, PORT } =
  process.env;
if (TRIFORGE_AUTH_URL !== undefined) {
  const flow = new OAuthWebFlow({
    authUrl: TRIFORGE_AUTH_URL,
    clientId: TRIFORGE_CLIENT_ID ?? '',
    clientSecret: TRIFORGE_CLIENT_SECRET ?? '',
  });
  const baseUrl = TRIFORGE_BASE_URL ?? new URL('/api/v3/', TRIFORGE_AUTH_URL);
  const app = new WebApp(flow, new HostingClient({ baseUrl }));
  console.log(`Open ${await listen(createServer(app.handle), Number(PORT ?? 8080))}`);
} else {
  await using emulator = createEmulator();
  const { url: authUrl, hostingUrl } = await emulator.listen();
  // The app learns where it listens before the server learns where to send users back to.
  const server = createServer((request, response) => app.handle(request, response));
  const appUrl = await listen(server, 0);
  const callbackUrl = `${appUrl}/callback`;
  const { clientId, clientSecret } = emulator.hosting.addApplication('Star Map', { callbackUrl });
  await using flow = new OAuthWebFlow({ authUrl, clientId, clientSecret, callbackUrl });
  await using hosting = new HostingClient({ baseUrl: hostingUrl });
  const app = new WebApp(flow, hosting);
  await browse(appUrl, 'deny');
  await browse(appUrl, 'approve', true);
  await browse(appUrl, 'approve');
  server.close();
  server.closeAllConnections();
}
