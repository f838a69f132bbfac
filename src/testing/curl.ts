import type { LoggedRequest } from './exchange-log.js';
import { mask } from './secret-names.js';

/** Fields that curl says by itself. */
const own = new Set('accept-encoding connection content-length host transfer-encoding'.split(' '));

/** A recorded request as a command for a shell. What was masked stands as `$SECRET` in it. */
export function curlOf(request: LoggedRequest, origin: string): string {
  const { method, path, headers, body } = request;
  const parts = ['curl', ...(method === 'GET' ? [] : ['-X', method]), quoted(origin + path)];
  for (const [name, value] of Object.entries(headers)) {
    if (!own.has(name)) parts.push('-H', quoted(`${name}: ${value}`));
  }
  if (body !== undefined) {
    const form = (headers['content-type'] ?? '').includes('x-www-form-urlencoded');
    const text = typeof body === 'string' ? body : form ? formOf(body) : JSON.stringify(body);
    parts.push('--data-raw', quoted(text));
  }
  return parts.join(' ');
}

function formOf(fields: unknown): string {
  return new URLSearchParams(Object.entries(Object(fields))).toString();
}

/** In single quotes, where nothing means anything to a shell but the variable of a masked secret. */
function quoted(text: string): string {
  // The mask stands in a URL and in a form as it is: its asterisks are never encoded.
  return `'${text.replaceAll("'", `'\\''`)}'`.replaceAll(mask, `'"$SECRET"'`);
}
