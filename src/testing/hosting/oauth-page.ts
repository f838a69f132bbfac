/** What the authorize page asks for. */
export interface Asked {
  readonly application: string;
  readonly login: string;
  readonly scopes: readonly string[];
  /** What the forms carry along: the query of the authorize URL. */
  readonly query: URLSearchParams;
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

function form(asked: Asked, decision: 'approve' | 'deny', label: string): string {
  const hidden = [...asked.query, ['decision', decision] as const]
    .map(
      ([name, value]) => `<input type="hidden" name="${escaped(name)}" value="${escaped(value)}">`,
    )
    .join('');
  return `<form method="post" action="/login/oauth/authorize">${hidden}<button id="${decision}" type="submit">${label}</button></form>`;
}

/** The page on which a user approves or denies. */
export function authorizePage(asked: Asked): string {
  const scopes = asked.scopes.map((scope) => `<li><code>${escaped(scope)}</code></li>`).join('');
  const application = escaped(asked.application);
  return `<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><title>Authorize ${application}</title></head>
<body>
<h1>Authorize ${application}</h1>
<p>Signed in as <strong>${escaped(asked.login)}</strong>. It asks for:</p>
<ul>${scopes === '' ? '<li>public information only</li>' : scopes}</ul>
${form(asked, 'approve', 'Authorize')}
${form(asked, 'deny', 'Cancel')}
</body>
</html>
`;
}
