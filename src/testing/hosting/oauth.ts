import { mediaTypeOf, readForm } from '../bodies.js';
import { sha1 } from '../random.js';
import { Refused, type Reply } from '../reply.js';
import { decode, type Router } from '../router.js';
import type { Application, AuthorizationRecord } from './accounts.js';
import type { HostingContext, HostingRoute } from './context.js';
import { answerTokens } from './oauth-answer.js';
import { authorizePage, problemPage } from './oauth-page.js';
import { badBody, documentation, notFound } from './refusals.js';
import { isScope, normalized } from './scopes.js';

/** Who is signed in at the web pages. */
export type SignedIn = () => string | undefined;

const loopback = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/;
const codeLifetime = 10 * 60 * 1000;
/** Maximum number of codes that are kept. */
const mostGrants = 1000;

/** The port that a URL leads to: its own, or that of its scheme. */
function portOf(url: URL): string {
  return url.port || (url.protocol === 'https:' ? '443' : '80');
}

/**
 * The rule for `redirect_uri`: host and port of the callback, and its path or
 * one below it, which an encoded `..` would leave again.
 */
function mayRedirect({ callbackUrl, anyPort }: Application, redirectUri: string): boolean {
  if (!URL.canParse(redirectUri)) return false;
  const [callback, asked] = [new URL(callbackUrl), new URL(redirectUri)];
  const onThisMachine =
    anyPort && loopback.test(callback.hostname) && loopback.test(asked.hostname);
  const folder = callback.pathname.endsWith('/') ? callback.pathname : `${callback.pathname}/`;
  return (
    /^https?:$/.test(asked.protocol) &&
    (onThisMachine ||
      (callback.hostname === asked.hostname && portOf(callback) === portOf(asked))) &&
    !/(?:^|[/\\])\.\.(?:[/\\]|$)/.test(decode(asked.pathname) ?? '..') &&
    (asked.pathname === callback.pathname || asked.pathname.startsWith(folder))
  );
}

function back(url: string, query: Readonly<Record<string, string | null>>): Reply {
  const target = new URL(url);
  for (const [name, value] of Object.entries(query)) {
    if (value !== null) target.searchParams.set(name, value);
  }
  return { status: 302, headers: { location: target.href }, body: undefined };
}

/** An error as the service tells it, in a redirect or an answer. */
function problem(error: keyof typeof problems) {
  const error_uri = `${documentation}/oauth/#${error.replaceAll('_', '-')}`;
  return { error, error_description: problems[error], error_uri };
}

const problems = {
  access_denied: 'The user has denied your application access.',
  application_suspended: 'Your application has been suspended. Contact support.',
  bad_verification_code: 'The code passed is incorrect or expired.',
  incorrect_client_credentials: 'The client_id and/or client_secret passed are incorrect.',
  redirect_uri_mismatch:
    'The redirect_uri MUST match the registered callback URL for this application.',
} as const;

/**
 * The application of a request, and the user whom it asks.
 * @throws {Refused} 404 where there is none; an error of the request goes to the registered callback
 */
function requestOf(context: HostingContext, query: URLSearchParams, signedIn: SignedIn) {
  const clientId = query.get('client_id') ?? '';
  const application = context.state.applications.get(clientId);
  if (!application) {
    throw unanswerable(
      context,
      clientId === ''
        ? 'The address has no client_id.'
        : `No application has the client_id ${clientId}.`,
    );
  }
  const { callbackUrl, suspended } = application;
  const state = query.get('state');
  if (suspended) {
    throw new Refused(back(callbackUrl, { ...problem('application_suspended'), state }));
  }
  const redirectUri = query.get('redirect_uri');
  if (redirectUri !== null && !mayRedirect(application, redirectUri)) {
    throw new Refused(back(callbackUrl, { ...problem('redirect_uri_mismatch'), state }));
  }
  const login = signedIn();
  if (login === undefined) {
    throw unanswerable(context, 'No user is signed in, because the emulator has none.');
  }
  return { application, login };
}

/** Browsers get a page; other clients get the JSON of any 404. */
function unanswerable(context: HostingContext, problem: string): Refused {
  const browser = context.request.headers.get('accept')?.includes('text/html') ?? false;
  return browser ? new Refused(problemPage(problem)) : notFound();
}

function scopesOf(query: URLSearchParams): string[] {
  return normalized((query.get('scope') ?? '').split(/[\s,]/).filter(isScope));
}

/** Goes back to the application with a code for what was granted. */
function granted(
  context: HostingContext,
  application: Application,
  query: URLSearchParams,
  login: string,
  scopes: readonly string[],
): Reply {
  const redirectUri = query.get('redirect_uri') ?? undefined;
  const code = sha1('code', login, String(context.state.nextId())).slice(0, 20);
  context.state.grants.set(code, {
    clientId: application.clientId,
    login,
    scopes,
    redirectUri,
    expiresAt: context.clock.now.getTime() + codeLifetime,
  });
  const [oldest] = context.state.grants.keys();
  // Anyone can request codes, without credentials.
  if (context.state.grants.size > mostGrants && oldest) context.state.grants.delete(oldest);
  return back(redirectUri ?? application.callbackUrl, { code, state: query.get('state') });
}

function tokenOf(
  context: HostingContext,
  clientId: string,
  login: string,
): AuthorizationRecord | undefined {
  return [...context.state.tokens.values()].find(
    (record) => record.clientId === clientId && record.login === login,
  );
}

const authorize =
  (signedIn: SignedIn): HostingRoute =>
  (context) => {
    const { query } = context;
    const { application, login } = requestOf(context, query, signedIn);
    const known = tokenOf(context, application.clientId, login);
    const scopes = scopesOf(query);
    // Who has a valid token is not asked again: the scopes of the last flow hold.
    if (known) return granted(context, application, query, login, known.scopes);
    const { name, url } = application;
    return authorizePage({ application: name, url, login, scopes, query });
  };

const decide =
  (signedIn: SignedIn): HostingRoute =>
  async (context) => {
    const form = await readForm(context.request, badBody);
    const { application, login } = requestOf(context, form, signedIn);
    if (form.get('decision') !== 'approve') {
      const { anyPort, callbackUrl } = application;
      // A callback of any port is at the one that the user came from.
      const target = (anyPort ? form.get('redirect_uri') : undefined) ?? callbackUrl;
      return back(target, { ...problem('access_denied'), state: form.get('state') });
    }
    return granted(context, application, form, login, scopesOf(form));
  };

const exchange: HostingRoute = async (context) => {
  const input = await inputOf(context);
  const { clock, state, world } = context;
  const application = state.applications.get(input.get('client_id') ?? '');
  if (!application || application.clientSecret !== input.get('client_secret')) {
    return answerTokens(context, problem('incorrect_client_credentials'));
  }
  const redirectUri = input.get('redirect_uri');
  if (redirectUri !== null && !mayRedirect(application, redirectUri)) {
    return answerTokens(context, problem('redirect_uri_mismatch'));
  }
  const code = input.get('code') ?? '';
  const grant = state.grants.get(code);
  state.grants.delete(code);
  const late = grant && grant.expiresAt <= clock.now.getTime();
  const other =
    redirectUri !== null && grant?.redirectUri !== undefined && grant.redirectUri !== redirectUri;
  if (!grant || late || other || grant.clientId !== application.clientId) {
    return answerTokens(context, problem('bad_verification_code'));
  }
  const { login, scopes } = grant;
  const { clientId } = application;
  const known = tokenOf(context, clientId, login);
  const record = known ?? world.addToken(login, scopes, { clientId });
  record.scopes = scopes;
  return answerTokens(context, {
    access_token: record.token,
    scope: record.scopes.join(','),
    token_type: 'bearer',
  });
};

/** Parameters of the token request: a form, JSON, or the query. */
async function inputOf(context: HostingContext): Promise<URLSearchParams> {
  if (/\bjson$/.test(mediaTypeOf(context.request.headers))) {
    const input = new URLSearchParams();
    for (const [name, value] of Object.entries(await context.body())) {
      input.set(name, String(value));
    }
    return input;
  }
  const form = await readForm(context.request, badBody);
  return form.size > 0 ? form : context.query;
}

export function addOAuth(router: Router<HostingRoute>, signedIn: SignedIn): void {
  router.add('GET /login/oauth/authorize', authorize(signedIn));
  router.add('POST /login/oauth/authorize', decide(signedIn));
  router.add('POST /login/oauth/access_token', exchange);
}
