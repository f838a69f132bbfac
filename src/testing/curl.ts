import type { LoggedRequest } from './request-log.js';
import { mask } from './secret-names.js';

/** Headers that curl sends by itself. */
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

/** Quotes a text for a shell, so that it expands only `$SECRET` in place of masked secrets. */
function quote(text: string): string {
  // URLs and forms don't encode the mask's asterisks, so the mask is also found in them.
  return `'${text.replaceAll("'", `'\\''`)}'`.replaceAll(mask, `'"$SECRET"'`);
}
