import { InvalidRequestError } from '../errors/index.js';
import { checkOptions, forOneCall, optionNames } from '../option-names.js';
import { findIssues, fits, type Model } from '../schema/model.js';
import type { StandardIssue } from '../schema/standard-schema.js';
import { describeKind, showValue } from '../schema/unknown-values.js';
import { mediaTypes } from '../transport/request/body.js';
import { createInputError } from '../transport/request/input.js';
import type { EventPayload } from './envelope.js';
import type { Delivery } from './events.js';
import {
  type DeliveryHeaders,
  findEvent,
  getDeliveryHeader,
  listSignatures,
  listVendors,
  type Vendor,
  vendorsIn,
} from './headers.js';
import { isKnownEvent, payloadModel } from './payloads.js';
import type { Secret } from './secrets.js';
import { type RawBody, rawBytes, verifySignature } from './signature.js';

/** Input of {@link parseDelivery}. */
export interface ParseInput {
  /** Request headers. */
  readonly headers: DeliveryHeaders;
  /** Raw request body. */
  readonly body: RawBody;
  /**
   * Hook secret, or an array of secrets during rotation. The signature is verified before anything
   * else. If `secret` is omitted or `false`, the signature isn't verified. `undefined` is rejected,
   * because it usually means an unset variable.
   */
  readonly secret?: Secret | false;
  /** Vendor name in `X-<Vendor>-Event`, or an array of vendor names. Default: `service`. */
  readonly vendor?: Vendor | undefined;
}

const names = optionNames<ParseInput>()('headers body secret vendor');

/**
 * Parses a delivery, which is JSON or a form with the JSON in `payload`. Returns the payload
 * unchanged. Validates the fields that the API specifies: `sender`, `repository`, `organization`,
 * the fields of a ping, and `action` and `issue` in `issues` events.
 * @throws {SignatureError} if a secret is set and the signature doesn't match.
 * @throws {InvalidRequestError} if the event header is missing, the media type is unsupported, the
 * body isn't a JSON object, or a specified field has the wrong type.
 * @throws {ConfigurationError} if a secret is empty or a vendor name is invalid.
 */
export function parseDelivery(input: ParseInput): Delivery {
  forOneCall(() => checkOptions(input, names));
  const { headers, body, secret = false } = input;
  if (typeof headers !== 'object' || headers === null) {
    throw createInputError('headers', `must be an object (got ${describeKind(headers)})`);
  }
  const vendors = listVendors(input.vendor);
  const checked = 'secret' in input && input.secret === undefined ? '' : secret;
  if (checked !== false) {
    verifySignature({ body, signature: listSignatures(headers), secret: checked });
  }
  const named = findEvent(headers, vendors);
  if (!named) throw noEvent(headers, vendors);
  const { event, id } = named;
  const payload = extractPayload(getDeliveryHeader(headers, 'content-type'), body);
  checkPayload(event, payloadModel(event), payload);
  if (!isKnownEvent(event)) {
    // `as`: the envelope is valid, and an unknown event has no other specified fields.
    return { event: 'other', name: event, id, payload: payload as EventPayload };
  }
  // `as`: the event is in the union, and the specified fields of its payload are valid.
  return { event, id, payload } as Delivery;
}

function noEvent(headers: DeliveryHeaders, vendors: readonly string[]): InvalidRequestError {
  const expected = vendors.map((vendor) => `x-${vendor}-event`);
  const [other] = vendorsIn(headers);
  const hint =
    other === undefined || vendors.includes(other)
      ? 'is missing or empty'
      : `is missing, but x-${other}-event is present. Set vendor: '${other}'.`;
  return new InvalidRequestError(`${expected.join(' or ')}: ${hint}`, {
    field: expected[0] ?? 'vendor',
  });
}

/**
 * Returns whether a delivery is JSON, or a form with the JSON in `payload`.
 * @throws {InvalidRequestError} if the media type is neither JSON nor a form.
 */
export function requireDeliveryType(contentType: string | undefined): 'json' | 'form' {
  const type = (contentType ?? '').replace(/;.*/, '').trim().toLowerCase();
  if (type === mediaTypes.form) return 'form';
  if (type === mediaTypes.json || /^application\/.*\+json$/.test(type)) return 'json';
  const got = contentType === undefined ? 'no header' : showValue(contentType);
  throw createInputError(
    'content-type',
    `must be ${mediaTypes.json} or ${mediaTypes.form} (got ${got})`,
  );
}

function extractPayload(contentType: string | undefined, body: RawBody): unknown {
  const type = requireDeliveryType(contentType);
  const text = decodePayload(body);
  const json = type === 'form' ? payloadField(text) : text;
  try {
    const value: unknown = JSON.parse(json);
    return value;
  } catch {
    throw createInputError('payload', 'must be valid JSON');
  }
}

/**
 * Returns the value of `payload`, which must be the form's only field. The media type isn't signed,
 * so an attacker could resend a signed JSON delivery as a form. If a string in the JSON contained
 * `&payload=…`, that text would become the payload.
 */
function payloadField(text: string): string {
  if (!/^payload=[^&]*$/.test(text)) {
    throw createInputError('payload', "must be the form's only field");
  }
  return new URLSearchParams(text).get('payload') ?? '';
}

function decodePayload(body: RawBody): string {
  const bytes = rawBytes(body);
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw createInputError('payload', 'must be valid UTF-8');
  }
}

function checkPayload(event: string, model: Model<unknown>, payload: unknown): void {
  if (fits(model, payload)) return;
  const [issue] = findIssues(model, payload) ?? [];
  const field = ['payload', ...issuePath(issue)].join('.');
  const problem = issue?.message ?? "must match the event's model";
  throw new InvalidRequestError(`${event}: ${field}: ${problem}`, { field });
}

function issuePath(issue: StandardIssue | undefined): string[] {
  return (issue?.path ?? []).map((part) => String(typeof part === 'object' ? part.key : part));
}
