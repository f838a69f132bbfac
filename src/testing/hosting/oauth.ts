import { parseMediaType, readForm } from '../bodies.js';
import { escapeHtml, htmlPage } from '../html-page.js';
import { sha1 } from '../random.js';
import { createReply, HttpError, httpError, json, type Reply } from '../reply.js';
import { decode } from '../router.js';
import { parseBasic } from './callers.js';
import type { HostingContext, HostingRoutes } from './context.js';
import { isLoopback } from './deliveries.js';
import { type Application, isScope, normalized } from './records/accounts.js';
import { documentation } from './refusals.js';

function form(query: URLSearchParams, decision: 'approve' | 'deny', label: string): string {
  const asked = [...query].filter(([name]) => name !== 'decision');
  const hidden = [...asked, ['decision', decision] as const]
    .map(
      ([name, value]) =>
        `<input type="hidden" name="${escapeHtml(name)}" value="${escapeHtml(value)}">`,
    )
    .join('');
  const main = decision === 'approve' ? ' class="main"' : '';
  return `<form method="post" action="/login/oauth/authorize">${hidden}<button id="${decision}" type="submit"${main}>${label}</button></form>`;
}

/**
 * Renders the page on which a user approves or denies access.
 * @param query query of the authorize URL, which the forms submit again.
 */
export function authorizePage(
  { name, url }: Application,
  login: string,
  scopes: readonly string[],
  query: URLSearchParams,
): Reply {
  const items = scopes.map((scope) => `<li><code>${escapeHtml(scope)}</code></li>`).join('');
  const backTo = query.get('redirect_uri');
  const back = backTo === null ? '' : `<p class="soft">Redirects to ${escapeHtml(backTo)}</p>`;
  const title = `Authorize ${escapeHtml(name)}`;
  const body = `<main>
<section>
<h1>${title}</h1>
<p>Signed in as <strong>${escapeHtml(login)}</strong>. The application requests:</p>
<ul>${items || '<li>public information only</li>'}</ul>
<p class="soft">${escapeHtml(url)}</p>
${back}
<div class="decide">
${form(query, 'approve', 'Authorize')}
${form(query, 'deny', 'Cancel')}
</div>
</section>
<p class="soft">This is a page of the triforge emulator. No real access is granted.</p>
</main>
`;
  return htmlPage(title, body);
}

const codeLifetime = 10 * 60 * 1000;

/** Returns a URL's port. `URL.port` is empty for the scheme's default port. */
function effectivePort(url: URL): string {
  return url.port || (url.protocol === 'https:' ? '443' : '80');
}

/**
 * Returns whether a `redirect_uri` is allowed. The URL must have the callback's host and port. With
 * `anyPort`, both hosts can also be loopback addresses, with any port. The path must be the
 * callback's path or a path below it. An encoded `..` is not allowed, because it could lead to
 * another path.
 */
function mayRedirect({ callbackUrl, anyPort }: Application, redirectUri: string): boolean {
  if (!URL.canParse(redirectUri)) return false;
  const [callback, target] = [new URL(callbackUrl), new URL(redirectUri)];
  const onThisMachine = anyPort && isLoopback(callback) && isLoopback(target);
  const folder = callback.pathname.endsWith('/') ? callback.pathname : `${callback.pathname}/`;
  return (
    /^https?:$/.test(target.protocol) &&
    (onThisMachine ||
      (callback.hostname === target.hostname &&
        effectivePort(callback) === effectivePort(target))) &&
    !/(?:^|[/\\])\.\.(?:[/\\]|$)/.test(decode(target.pathname) ?? '..') &&
    (target.pathname === callback.pathname || target.pathname.startsWith(folder))
  );
}

function back(url: string, query: Readonly<Record<string, string | null>>): Reply {
  const target = new URL(url);
  for (const [name, value] of Object.entries(query)) {
    if (value !== null) target.searchParams.set(name, value);
  }
  return { status: 302, headers: { location: target.href }, body: undefined };
}

/** Creates an error in the service's format, for a redirect or a response. */
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

/** Members of a response to a token request, by name. */
type TokenFields = Readonly<Record<string, string>>;

/** Responds with a token or an error in the format that `Accept` selects. Errors also have status 200. */
function respondWithTokens({ accept }: HostingContext, fields: TokenFields): Reply {
  switch (accept) {
    case 'application/json':
      return json(200, fields);
    case 'application/xml':
      return createReply(200, 'application/xml; charset=utf-8', xml(fields));
    default: {
      const form = new URLSearchParams(fields).toString();
      return createReply(200, 'application/x-www-form-urlencoded; charset=utf-8', form);
    }
  }
}

function xml(fields: TokenFields): string {
  const children = Object.entries(fields).map(([name, value]) => {
    const text = value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
    return `  <${name}>${text}</${name}>\n`;
  });
  return `<?xml version="1.0" encoding="UTF-8"?>\n<OAuth>\n${children.join('')}</OAuth>\n`;
}

/**
 * Returns a request's application and the user who can authorize it.
 * @throws {HttpError} 404 if there is no such application or user, or a redirect to the registered
 * callback if the request is invalid.
 */
function parseAuthorizeRequest(context: HostingContext, query: URLSearchParams) {
  const clientId = query.get('client_id') ?? '';
  const application = context.state.applications.get(clientId);
  if (!application) {
    throw httpError(404, `No application has the client_id '${clientId}'.`);
  }
  const { callbackUrl, suspended } = application;
  const state = query.get('state');
  if (suspended) {
    throw new HttpError(back(callbackUrl, { ...problem('application_suspended'), state }));
  }
  const redirectUri = query.get('redirect_uri');
  if (redirectUri !== null && !mayRedirect(application, redirectUri)) {
    throw new HttpError(back(callbackUrl, { ...problem('redirect_uri_mismatch'), state }));
  }
  const { signedIn: login } = context.service;
  if (login === undefined) {
    throw httpError(404, 'No user is signed in, because the emulator has no users.');
  }
  return { application, login };
}

function readRequestedScopes(query: URLSearchParams): string[] {
  return normalized((query.get('scope') ?? '').split(/[\s,]/).filter(isScope));
}

/** Redirects to the application with a code for the granted scopes. */
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
  return back(redirectUri ?? application.callbackUrl, { code, state: query.get('state') });
}

function findToken(context: HostingContext, clientId: string, login: string) {
  return [...context.state.tokens.values()].find(
    (record) => record.clientId === clientId && record.login === login,
  );
}

/** Reads the parameters of a token request from a form, JSON or the query. */
async function readInput(context: HostingContext): Promise<URLSearchParams> {
  if (/\bjson$/.test(parseMediaType(context.request.headers))) {
    const input = new URLSearchParams();
    for (const [name, value] of Object.entries(await context.body())) {
      input.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value));
    }
    return input;
  }
  const form = await readForm(context.request);
  return form.size > 0 ? form : context.query;
}

/** Reads the application's credentials from `Authorization: Basic` or from the parameters. */
function readClient({ request }: HostingContext, input: URLSearchParams): readonly string[] {
  const [, basic] = /^basic +(\S+)$/i.exec(request.headers.get('authorization') ?? '') ?? [];
  // Clients percent-encode the ID and the secret (RFC 6749, section 2.3.1).
  if (basic) return parseBasic(basic).map((part) => decode(part) ?? part);
  return [input.get('client_id') ?? '', input.get('client_secret') ?? ''];
}

export const oauthRoutes: HostingRoutes = {
  'GET /login/oauth/authorize': (context) => {
    const { query } = context;
    const { application, login } = parseAuthorizeRequest(context, query);
    const known = findToken(context, application.clientId, login);
    const scopes = readRequestedScopes(query);
    // A user with a valid token isn't prompted again and keeps the scopes of the last flow.
    if (known) return granted(context, application, query, login, known.scopes);
    return authorizePage(application, login, scopes, query);
  },

  'POST /login/oauth/authorize': async (context) => {
    const form = await readForm(context.request);
    const { application, login } = parseAuthorizeRequest(context, form);
    if (form.get('decision') !== 'approve') {
      const { anyPort, callbackUrl } = application;
      // With `anyPort`, uses the request's `redirect_uri`, whose port may differ from the
      // callback's.
      const target = (anyPort ? form.get('redirect_uri') : undefined) ?? callbackUrl;
      return back(target, { ...problem('access_denied'), state: form.get('state') });
    }
    return granted(context, application, form, login, readRequestedScopes(form));
  },

  'POST /login/oauth/access_token': async (context) => {
    const input = await readInput(context);
    const { clock, state, world } = context;
    const [id = '', secret] = readClient(context, input);
    const application = state.applications.get(id);
    if (!application || application.clientSecret !== secret) {
      return respondWithTokens(context, problem('incorrect_client_credentials'));
    }
    if (application.suspended) {
      return respondWithTokens(context, problem('application_suspended'));
    }
    const redirectUri = input.get('redirect_uri');
    if (redirectUri !== null && !mayRedirect(application, redirectUri)) {
      return respondWithTokens(context, problem('redirect_uri_mismatch'));
    }
    const code = input.get('code') ?? '';
    const grant = state.grants.get(code);
    // A request from another application doesn't use up the code.
    if (grant?.clientId === application.clientId) state.grants.delete(code);
    const late = grant && grant.expiresAt <= clock.now.getTime();
    const other =
      redirectUri !== null && grant?.redirectUri !== undefined && grant.redirectUri !== redirectUri;
    if (!grant || late || other || grant.clientId !== application.clientId) {
      return respondWithTokens(context, problem('bad_verification_code'));
    }
    const { login, scopes } = grant;
    const { clientId } = application;
    const known = findToken(context, clientId, login);
    const record = known ?? world.addToken(login, scopes, { clientId });
    record.scopes = scopes;
    return respondWithTokens(context, {
      access_token: record.token,
      scope: record.scopes.join(','),
      token_type: 'bearer',
    });
  },
};
