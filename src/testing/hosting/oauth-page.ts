import { escaped, pageStyle } from '../page-style.js';

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
export function authorizePage(asked: Asked): string {
  const scopes = asked.scopes.map((scope) => `<li><code>${escaped(scope)}</code></li>`).join('');
  const application = escaped(asked.application);
  const backTo = asked.query.get('redirect_uri');
  const back = backTo === null ? '' : `<p class="soft">Then back to ${escaped(backTo)}</p>`;
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Authorize ${application}</title>
<style>${pageStyle}
  body { max-width: 30rem; padding-top: 12vh; }
  section { padding: 1.5rem; }
  p, ul { margin: .75rem 0; overflow-wrap: anywhere; }
  ul { padding-left: 1.2rem; }
  .decide { display: flex; gap: .75rem; margin-top: 1.25rem; }
  .decide button { min-width: 7rem; }
</style>
</head>
<body>
<main>
<section>
<h1>Authorize ${application}</h1>
<p>Signed in as <strong>${escaped(asked.login)}</strong>. It asks for:</p>
<ul>${scopes === '' ? '<li>public information only</li>' : scopes}</ul>
<p class="soft">${escaped(asked.url)}</p>
${back}
<div class="decide">
${form(asked, 'approve', 'Authorize')}
${form(asked, 'deny', 'Cancel')}
</div>
</section>
<p class="soft">This page is the triforge emulator’s: nothing real is granted.</p>
</main>
</body>
</html>
`;
}
