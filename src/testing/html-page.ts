import { createHash } from 'node:crypto';
import { pageStyle } from './page-style.js';
import { createReply, type Reply } from './reply.js';

/** Headers that prevent other sites from framing or embedding the emulator's pages and data. */
export const ownHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/**
 * Content of an HTML page. The content security policy allows only {@link pageStyle}, `style` and
 * `script`.
 */
interface Page {
  /** Title as HTML. */
  readonly title: string;
  /** Body as HTML. */
  readonly body: string;
  /** CSS in addition to {@link pageStyle}. */
  readonly style: string;
  /** JavaScript, which may send requests to the emulator. */
  readonly script?: string | undefined;
}

/**
 * Creates an HTML page. Its content security policy has no `form-action`, because the OAuth form
 * redirects to the application.
 */
export function htmlPage(status: number, { title, body, style: own, script }: Page): Reply {
  const style = pageStyle + own;
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
${body}${script === undefined ? '' : `<script type="module">${script}</script>\n`}</body>
</html>
`;
  const policy = [
    "default-src 'none'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
    'img-src data:',
    `style-src ${hashSource(style)}`,
    ...(script === undefined ? [] : [`script-src ${hashSource(script)}`, "connect-src 'self'"]),
  ];
  const headers = { ...ownHeaders, 'content-security-policy': policy.join('; ') };
  return createReply(status, 'text/html; charset=utf-8', html, headers);
}

function hashSource(text: string): string {
  return `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
}
