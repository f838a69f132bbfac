import { htmlPage } from '../html-page.js';
import { escaped, pageStyle } from '../page-style.js';
import type { Reply } from '../reply.js';

/** What the authorize page asks for. */
export interface Asked {
  readonly application: string;
  /** The application's own site. */
  readonly url: string;
  readonly login: string;
  readonly scopes: readonly string[];
  /** What the forms carry along: the query of the authorize URL. */
  readonly query: URLSearchParams;
}

function form(asked: Asked, decision: 'approve' | 'deny', label: string): string {
  const hidden = [...asked.query, ['decision', decision] as const]
    .map(
      ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
    )
    .join('');
  const main = decision === 'approve' ? ' class="main"' : '';
  return `<form method="post" action="/login/oauth/authorize">${hidden}<button id="${decision}" type="submit"${main}>${label}</button></form>`;
}

/** The page on which a user approves or denies. */
export function authorizePage(asked: Asked): Reply {
  const scopes = asked.scopes.map((scope) => `<li><code>${escaped(scope)}</code></li>`).join('');
  const application = escaped(asked.application);
  const backTo = asked.query.get('redirect_uri');
  const back = backTo === null ? '' : `<p class="soft">Then back to ${escaped(backTo)}</p>`;
  return oauthPage(
    200,
    `Authorize ${application}`,
    `<p>Signed in as <strong>${escaped(asked.login)}</strong>. It asks for:</p>
<ul>${scopes === '' ? '<li>public information only</li>' : scopes}</ul>
<p class="soft">${escaped(asked.url)}</p>
${back}
<div class="decide">
${form(asked, 'approve', 'Authorize')}
${form(asked, 'deny', 'Cancel')}
</div>
`,
  );
}

/**
 * The page for a request that can't be redirected to an application.
 * @param problem explanation for the user.
 */
export function problemPage(problem: string): Reply {
  return oauthPage(404, 'This application can’t be authorized', `<p>${escaped(problem)}</p>\n`);
}

/** @param title its heading, as HTML. @param content what follows it, as HTML. */
function oauthPage(status: number, title: string, content: string): Reply {
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${style}</style>
</head>
<body>
<main>
<section>
<h1>${title}</h1>
${content}</section>
<p class="soft">This page is the triforge emulator’s: nothing real is granted.</p>
</main>
</body>
</html>
`;
  return htmlPage(status, html, { style });
}

const style = `${pageStyle}
  body { max-width: 30rem; padding-top: 12vh; }
  section { padding: 1.5rem; }
  p, ul { margin: .75rem 0; overflow-wrap: anywhere; }
  ul { padding-left: 1.2rem; }
  .decide { display: flex; gap: .75rem; margin-top: 1.25rem; }
  .decide button { min-width: 7rem; }
`;
