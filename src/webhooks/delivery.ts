import { InvalidRequestError } from '../errors.js';
import { type Delivery, isDeliveredEvent } from './events.js';
import { type RawBody, rawBytes, verifySignature } from './signature.js';

/** Header fields of a delivery: a plain object (as `request.headers` of node:http) or `Headers`. */
export type DeliveryHeaders =
  | Headers
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** What {@link parseDelivery} takes. */
export interface ParseInput {
  readonly headers: DeliveryHeaders;
  /** The raw body. */
  readonly body: RawBody;
  /** The hook's secret (several while it is rotated): the delivery is verified first. Undefined: it is not verified. */
  readonly secret?: string | readonly string[] | undefined;
  /** The word in `X-<Vendor>-Event`. Default `service`. */
  readonly vendor?: string | undefined;
}

/** One header field, whatever holds it; undefined where it is missing. */
export function headerOf(headers: DeliveryHeaders, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const lower = name.toLowerCase();
  for (const [key, value] of Object.entries(headers)) {
    if (key.toLowerCase() !== lower) continue;
    return typeof value === 'string' ? value : value?.join(', ');
  }
  return undefined;
}

/** The strongest signature that a delivery carries. */
export function signatureOf(headers: DeliveryHeaders): string | undefined {
  return headerOf(headers, 'x-hub-signature-256') ?? headerOf(headers, 'x-hub-signature');
}

/**
 * Reads a delivery (contract: Events): JSON, or a form with the JSON in `payload`.
 * @throws {SignatureError} where a secret is given and the signature does not fit.
 * @throws {InvalidRequestError} no event header, a body that is no JSON object, another media type.
 */
export function parseDelivery(input: ParseInput): Delivery {
  const { headers, body, secret, vendor = 'service' } = input;
  if (secret !== undefined) {
    verifySignature({ body, signature: signatureOf(headers), secret });
  }
  const eventHeader = `x-${vendor}-event`;
  const name = headerOf(headers, eventHeader);
  if (name === undefined || name === '') {
    throw new InvalidRequestError(
      `${eventHeader}: the header is missing; is the vendor word '${vendor}' right?`,
      eventHeader,
    );
  }
  const payload = payloadOf(headerOf(headers, 'content-type'), body);
  checkEnvelope(name, payload);
  const id = headerOf(headers, `x-${vendor}-delivery`);
  if (!isDeliveredEvent(name)) return { event: 'other', name, id, payload };
  // `as`: the event is one of the union, and checkEnvelope has judged what the contract fixes of it.
  return { event: name, id, payload } as Delivery;
}

/** Media types of deliveries. */
export function isDeliveryType(contentType: string | undefined): boolean {
  const type = (contentType ?? '').split(';', 1)[0]?.trim().toLowerCase();
  return type === 'application/json' || type === 'application/x-www-form-urlencoded';
}

function payloadOf(contentType: string | undefined, body: RawBody): Record<string, unknown> {
  if (!isDeliveryType(contentType)) {
    throw new InvalidRequestError(
      'content-type: expected application/json or application/x-www-form-urlencoded',
      'content-type',
    );
  }
  const text = Buffer.from(rawBytes(body)).toString('utf8');
  const form = !/json/i.test(contentType ?? '');
  const json = form ? new URLSearchParams(text).get('payload') : text;
  if (json === null) {
    throw new InvalidRequestError('payload: the form has no such field', 'payload');
  }
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch {
    throw new InvalidRequestError('payload: expected JSON', 'payload');
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw new InvalidRequestError('payload: expected a JSON object', 'payload');
  }
  return Object.fromEntries(Object.entries(value));
}

/** What the contract fixes: the common envelope, ping's fields, the action of issues. */
function checkEnvelope(name: string, payload: Readonly<Record<string, unknown>>): void {
  for (const field of ['sender', 'repository', 'organization']) {
    const value = payload[field];
    if (value !== undefined && value !== null)
      checkField(field, 'an object', typeof value === 'object');
  }
  if (name === 'ping') {
    checkField('zen', 'a string', typeof payload.zen === 'string');
    checkField('hook_id', 'a whole number', Number.isInteger(payload.hook_id));
  }
  if (name === 'issues') {
    checkField('action', 'a string', typeof payload.action === 'string');
    checkField('issue', 'an object', typeof payload.issue === 'object' && payload.issue !== null);
  }
}

function checkField(field: string, expected: string, holds: boolean): void {
  if (!holds)
    throw new InvalidRequestError(`payload.${field}: expected ${expected}`, `payload.${field}`);
}
