import { invalidOption } from '../option-names.js';
import { showValue } from '../schema/unknown-values.js';

/** Delivery headers: a plain object, such as `request.headers` in `node:http`, or `Headers`. */
export type DeliveryHeaders =
  // Before TypeScript 6, `Headers` in the `dom` library has no `keys` without `dom.iterable`.
  | Pick<Headers, 'get' | 'forEach'>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/**
 * Vendor name in `X-<Vendor>-Event`, or an array of vendor names for deliveries from several
 * servers.
 */
export type Vendor = string | readonly string[];

/**
 * Returns a header from an object or `Headers`. `name` must be lowercase, but the object's keys can
 * be in any case. Undefined if the header is missing.
 */
export function getDeliveryHeader(headers: DeliveryHeaders, name: string): string | undefined {
  if (isHeaders(headers)) return headers.get(name) ?? undefined;
  for (const [key, value] of Object.entries(headers)) {
    if (key.toLowerCase() !== name || value === undefined) continue;
    return typeof value === 'string' ? value : value.join(', ');
  }
  return undefined;
}

/**
 * Returns whether the headers are a `Headers` object, including one from another `fetch`
 * implementation.
 */
function isHeaders(headers: DeliveryHeaders): headers is Pick<Headers, 'get' | 'forEach'> {
  return typeof headers.get === 'function';
}

/** Returns a delivery's signatures, the strongest first. Some servers send two. */
export function listSignatures(headers: DeliveryHeaders): (string | undefined)[] {
  return [
    getDeliveryHeader(headers, 'x-hub-signature-256'),
    getDeliveryHeader(headers, 'x-hub-signature'),
  ];
}

/**
 * Returns the vendor names in lower case.
 * @throws {ConfigurationError} if a vendor name can't be part of a header name.
 */
export function listVendors(vendor: Vendor = 'service'): readonly string[] {
  const words = typeof vendor === 'string' ? [vendor] : vendor;
  const isWord = (word: unknown) => typeof word === 'string' && /^[A-Za-z0-9-]+$/.test(word);
  if (Array.isArray(words) && words.length > 0 && words.every(isWord)) {
    return words.map((word) => word.toLowerCase());
  }
  const wrong: unknown = Array.isArray(words) ? words.find((word) => !isWord(word)) : words;
  const got = Array.isArray(words) && words.length === 0 ? 'an empty array' : showValue(wrong);
  const why = `must be a string of letters, digits and hyphens, such as 'github', or a non-empty array of such strings (got ${got})`;
  throw invalidOption('vendor', why);
}

/** Returns a delivery's event and ID. Undefined if none of the vendors' headers names an event. */
export function findEvent(
  headers: DeliveryHeaders,
  vendors: readonly string[],
): { readonly event: string; readonly id: string | undefined } | undefined {
  for (const vendor of vendors) {
    const event = getDeliveryHeader(headers, `x-${vendor}-event`);
    if (event)
      return { event, id: getDeliveryHeader(headers, `x-${vendor}-delivery`) || undefined };
  }
  return undefined;
}

/** Returns the vendor names in a delivery's event headers. */
export function vendorsIn(headers: DeliveryHeaders): string[] {
  const names: string[] = [];
  if (isHeaders(headers)) headers.forEach((_value, name) => void names.push(name));
  else names.push(...Object.keys(headers));
  return names.flatMap((name) => /^x-([a-z0-9-]+)-event$/i.exec(name)?.[1]?.toLowerCase() ?? []);
}
