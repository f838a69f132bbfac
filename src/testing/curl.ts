import { mask } from '../masks/secrets.js';
import type { LoggedRequest } from './request-log.js';

/** Headers that curl adds automatically. */
const own = new Set('accept-encoding connection content-length host transfer-encoding'.split(' '));

/** Formats a recorded request as a shell command. Masked secrets become `$SECRET`. */
export function formatCurl(request: LoggedRequest, origin: string): string {
  const { method, path, headers, body } = request;
  const parts = ['curl', ...(method === 'GET' ? [] : ['-X', method]), quote(origin + path)];
  for (const [name, value] of Object.entries(headers)) {
    if (!own.has(name)) parts.push('-H', quote(`${name}: ${value}`));
  }
  if (body !== undefined) {
    const form = (headers['content-type'] ?? '').includes('x-www-form-urlencoded');
    const text = typeof body === 'string' ? body : form ? formatForm(body) : JSON.stringify(body);
    parts.push('--data-raw', quote(text));
  }
  return parts.join(' ');
}

function formatForm(fields: unknown): string {
  return new URLSearchParams(Object.entries(Object(fields))).toString();
}

/** Quotes text for a shell. The shell expands only the `$SECRET` that replaces a masked secret. */
function quote(text: string): string {
  // URL encoding leaves the mask's asterisks unchanged, so the mask is also found in URLs and forms.
  return `'${text.replaceAll("'", `'\\''`)}'`.replaceAll(mask, `'"$SECRET"'`);
}
