/** Query parameters known to be harmless. What is not listed shows as `***`. */
const harmless = new Set(
  [
    'page per_page state sort direction head base ref since until order_by order_dir count index',
    'type name label namespace filter contact_id campaign_id source with_tag without_tag',
    'created_since updated_since crm_id after before cursor',
  ]
    .join(' ')
    .split(' '),
);

/** Header fields known to be harmless, for printing. */
const harmlessHeaders = new Set(
  [
    'accept cache-control content-encoding content-length content-type date etag last-modified',
    'retry-after server vary x-ratelimit-limit x-ratelimit-remaining x-ratelimit-reset',
    'x-ratelimit-resource x-oauth-scopes x-accepted-oauth-scopes x-poll-interval',
  ]
    .join(' ')
    .split(' '),
);

/** What operators ask for when something went wrong, and what the server took the request for. */
const harmlessByVendor = /^x-(?:[a-z0-9]+-)?(?:request-id|media-type)$/;

const mask = '***';

/** A URL fit to be shown: no userinfo, no fragment, only harmless query values, no known secret. */
export function showUrl(url: string, secrets: readonly string[]): string {
  const hash = url.indexOf('#');
  const whole = hash < 0 ? url : url.slice(0, hash);
  const mark = whole.indexOf('?');
  const place = (mark < 0 ? whole : whole.slice(0, mark)).replace(/\/\/[^/]*@/, '//');
  const query = mark < 0 ? '' : `?${showQuery(whole.slice(mark + 1))}`;
  return scrub(place + query, secrets);
}

function showQuery(query: string): string {
  return query
    .split('&')
    .map((pair) => {
      const equals = pair.indexOf('=');
      const name = equals < 0 ? pair : pair.slice(0, equals);
      if (pair === '' || harmless.has(name)) return pair;
      return equals < 0 ? mask : `${name}=${mask}`;
    })
    .join('&');
}

/** Header fields fit to be shown. */
export function showHeaders(
  headers: Readonly<Record<string, string | undefined>>,
  secrets: readonly string[],
): Record<string, string> {
  const shown: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue;
    const known = harmlessHeaders.has(name) || harmlessByVendor.test(name);
    shown[name] = known ? scrub(value, secrets) : mask;
  }
  return shown;
}

/** Replaces every known secret in a text, also where it stands percent-encoded. */
export function scrub(text: string, secrets: readonly string[]): string {
  if (secrets.length === 0) return text;
  let clean = text;
  // The longest first: a secret that is part of another must not leave the rest of it.
  for (const form of secrets.flatMap(formsOf).sort((a, b) => b.length - a.length)) {
    clean = clean.replaceAll(form, mask);
  }
  return clean;
}

/** A secret as it may stand in a text: as it is, in JSON, and either of them encoded. */
function formsOf(secret: string): string[] {
  if (secret === '') return [];
  if (/^[\w.-]*$/.test(secret)) return [secret];
  const inJson = JSON.stringify(secret).slice(1, -1);
  return [secret, inJson].flatMap(encodingsOf);
}

/** A text as it is, as a query value, as a path segment (RFC 6570), as a form writes it. */
function encodingsOf(secret: string): string[] {
  if (!secret.isWellFormed()) return [secret];
  const query = encodeURIComponent(secret);
  const segment = query.replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  const form = new URLSearchParams([['', secret]]).toString().slice(1);
  const encoded = [query, segment, form, query.replaceAll('%20', '+')];
  // Servers may echo the octets in lower case.
  const lower = encoded.map((each) => each.replace(/%[\dA-F]{2}/g, (octet) => octet.toLowerCase()));
  return [secret, ...new Set([...encoded, ...lower])];
}

/** One bounded line of a server's own text, with secrets replaced. */
export function showText(text: string, secrets: readonly string[], limit = 300): string {
  // Scrub before cutting: a secret must not survive as its own first half.
  const line = scrub(text, secrets)
    .replace(/[\p{Cc}\p{Cf}\s]+/gu, ' ')
    .trim();
  return line.length > limit ? `${line.slice(0, limit)}…` : line;
}

/** Query parameters that are credentials are taken out of a URL. */
export function stripParameters(url: string, names: ReadonlySet<string>): string {
  const mark = url.indexOf('?');
  if (mark < 0 || !mayHold(url, names)) return url;
  const hash = url.indexOf('#', mark);
  const query = url.slice(mark + 1, hash < 0 ? undefined : hash);
  const kept = query.split('&').filter((pair) => !names.has(nameOf(pair)));
  if (kept.length === query.split('&').length) return url;
  const rest = hash < 0 ? '' : url.slice(hash);
  return url.slice(0, mark) + (kept.length === 0 ? '' : `?${kept.join('&')}`) + rest;
}

/** Quick, and never a wrong no: a name may also stand percent-encoded. */
function mayHold(url: string, names: ReadonlySet<string>): boolean {
  if (names.size === 0) return false;
  if (url.includes('%')) return true;
  for (const name of names) if (url.includes(name)) return true;
  return false;
}

function nameOf(pair: string): string {
  const equals = pair.indexOf('=');
  const name = equals < 0 ? pair : pair.slice(0, equals);
  try {
    return decodeURIComponent(name);
  } catch {
    return name; // not percent-encoded text: compared as it stands
  }
}
