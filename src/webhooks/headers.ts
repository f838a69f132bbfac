import { ConfigurationError } from '../errors/index.js';

/** Header fields of a delivery: a plain object (as `request.headers` of node:http) or `Headers`. */
export type DeliveryHeaders =
  | Pick<Headers, 'get' | 'keys'>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** The word in `X-<Vendor>-Event`, or several where deliveries of several servers come in. */
export type Vendor = string | readonly string[];

/** One header field, whatever holds it and however it is written; undefined where it is missing. */
export function headerOf(headers: DeliveryHeaders, name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined;
  for (const [key, value] of Object.entries(headers)) {
    if (key.toLowerCase() !== name || value === undefined) continue;
    return typeof value === 'string' ? value : value.join(', ');
  }
  return undefined;
}

/** The class of another copy of `fetch` will do. */
function isHeaders(headers: DeliveryHeaders): headers is Pick<Headers, 'get' | 'keys'> {
  return typeof headers.get === 'function';
}

/** What a delivery is signed with: some servers send two, of which the stronger counts. */
export function signaturesOf(headers: DeliveryHeaders): (string | undefined)[] {
  return [headerOf(headers, 'x-hub-signature-256'), headerOf(headers, 'x-hub-signature')];
}

/** @throws {ConfigurationError} words that can not stand in a header's name. */
export function vendorsOf(vendor: Vendor = 'service'): readonly string[] {
  const words = typeof vendor === 'string' ? [vendor] : vendor;
  const fit = (word: unknown) => typeof word === 'string' && /^[A-Za-z0-9-]+$/.test(word);
  if (Array.isArray(words) && words.length > 0 && words.every(fit)) {
    return words.map((word) => word.toLowerCase());
  }
  throw new ConfigurationError(
    'vendor: expected one word of letters, digits and hyphens, as in X-<Vendor>-Event, or a list of such words',
    { option: 'vendor' },
  );
}

/** The event of a delivery, and its id; undefined where no header of these vendors names one. */
export function eventOf(
  headers: DeliveryHeaders,
  vendors: readonly string[],
): { readonly event: string; readonly id: string | undefined } | undefined {
  for (const vendor of vendors) {
    const event = headerOf(headers, `x-${vendor}-event`);
    if (event) return { event, id: headerOf(headers, `x-${vendor}-delivery`) || undefined };
  }
  return undefined;
}

/** The vendor words of the event headers that a delivery does carry. */
export function vendorsIn(headers: DeliveryHeaders): string[] {
  const names = isHeaders(headers) ? [...headers.keys()] : Object.keys(headers);
  return names.flatMap((name) => /^x-([a-z0-9-]+)-event$/i.exec(name)?.[1]?.toLowerCase() ?? []);
}
