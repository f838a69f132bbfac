import { escapeHtml, htmlPage } from '../html-page.js';
import type { Reply } from '../reply.js';
import type { Application } from './records/accounts.js';

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
  return oauthPage(
    200,
    `Authorize ${escapeHtml(name)}`,
    `<p>Signed in as <strong>${escapeHtml(login)}</strong>. The application requests:</p>
<ul>${items || '<li>public information only</li>'}</ul>
<p class="soft">${escapeHtml(url)}</p>
${back}
<div class="decide">
${form(query, 'approve', 'Authorize')}
${form(query, 'deny', 'Cancel')}
</div>
`,
  );
}

/**
 * Renders the page for a request that can't be redirected to an application.
 * @param problem explanation for the user.
 */
export function problemPage(problem: string): Reply {
  return oauthPage(404, 'This application can’t be authorized', `<p>${escapeHtml(problem)}</p>\n`);
}

/** Renders a page. @param title heading, as HTML. @param content HTML below the heading. */
function oauthPage(status: number, title: string, content: string): Reply {
  const body = `<main>
<section>
<h1>${title}</h1>
${content}</section>
<p class="soft">This is a page of the triforge emulator. No real access is granted.</p>
</main>
`;
  return htmlPage(status, { title, body, style });
}

const style = `
  body { max-width: 30rem; padding-top: 12vh; }
  section { padding: 1.5rem; }
  p, ul { margin: .75rem 0; overflow-wrap: anywhere; }
  ul { padding-left: 1.2rem; }
  .decide { display: flex; gap: .75rem; margin-top: 1.25rem; }
  .decide button { min-width: 7rem; }
`;
