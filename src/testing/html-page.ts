import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { createReply, type Reply } from './reply.js';

/** Headers that prevent other sites from framing or embedding the emulator's pages and data. */
export const ownHeaders = {
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
  'cross-origin-resource-policy': 'same-origin',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
} as const;

/** Start of all content security policies. Pages load nothing from elsewhere and can't be framed. */
const strictPolicy = "default-src 'none'; base-uri 'none'; frame-ancestors 'none'; img-src data:";

/** Reads a file in the `page` folder, which the build copies next to the compiled code. */
function readPageFile(name: string): string {
  const own = import.meta.url;
  // In the CommonJS build, `import.meta.url` is a path.
  const base = own.startsWith('file:') ? own : pathToFileURL(own);
  return readFileSync(new URL(`./page/${name}`, base), 'utf8');
}

/** Files of the status page, with their media types. */
const statusTypes = {
  'status.html': 'text/html',
  'status.js': 'text/javascript',
  'status.css': 'text/css',
  'page.css': 'text/css',
} as const;

/** Returns a file of the status page, which may load only such files and the emulator's data. */
export function statusFile(name: keyof typeof statusTypes): Reply {
  const policy = `${strictPolicy}; style-src 'self'; script-src 'self'; connect-src 'self'`;
  const type = `${statusTypes[name]}; charset=utf-8`;
  return createReply(200, type, readPageFile(name), { 'content-security-policy': policy });
}

/**
 * Creates an HTML page. Its content security policy has no `form-action`, because the OAuth form
 * redirects to the application.
 */
export function htmlPage(title: string, body: string): Reply {
  const style = readPageFile('page.css');
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<title>${title}</title>
<style>${style}</style>
</head>
<body class="oauth">
${body}</body>
</html>
`;
  const hash = createHash('sha256').update(style).digest('base64');
  const policy = `${strictPolicy}; style-src 'sha256-${hash}'`;
  const headers = { ...ownHeaders, 'content-security-policy': policy };
  return createReply(200, 'text/html; charset=utf-8', html, headers);
}

/** Escapes text for HTML content and attributes. */
export function escapeHtml(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
