import { createHmac, timingSafeEqual } from 'node:crypto';
import { types } from 'node:util';
import * as z from 'zod/mini';
import { InvalidRequestError, SignatureError } from '../errors/index.js';
import { hookEvents } from '../hosting/models/hook.js';
import { checkOptions, forOneCall, invalidOption, optionNames } from '../option-names.js';
import { findIssues, type Model, model, ref } from '../schema/model.js';
import { describeKind, showValue } from '../schema/unknown-values.js';
import { mediaTypes } from '../transport/request/body.js';
import { createInputError } from '../transport/request/input.js';
import { EventAccount, EventRepository, type EventSubject } from './event-subjects.js';
import type {
  DeliveredEvent,
  Delivery,
  EventEnvelope,
  EventPayload,
  PingPayload,
} from './payloads.js';

/** Hook secret, or an array of secrets during rotation. */
export type Secret = string | readonly string[];

/**
 * Returns the secrets as a list. Rejects an empty or missing secret, which would match either every
 * delivery or none.
 * @throws {ConfigurationError} if a secret is empty or missing.
 */
export function listSecrets(secret: Secret | undefined): readonly string[] {
  const secrets = typeof secret === 'string' ? [secret] : secret;
  const filled = (each: unknown) => typeof each === 'string' && each !== '';
  if (Array.isArray(secrets) && secrets.length > 0 && secrets.every(filled)) return secrets;
  const why =
    'must be a non-empty string, or a non-empty array of such strings. Check whether an environment variable is unset.';
  throw invalidOption('secret', why);
}

/**
 * Body of a delivery, byte for byte as received. A parsed and reserialized body usually doesn't
 * match the signature. A string is encoded as UTF-8.
 */
export type RawBody = Uint8Array | ArrayBuffer | string;

/** Input of {@link verifySignature}. */
export interface VerifyInput {
  /** Raw request body. */
  readonly body: RawBody;
  /**
   * Signature header, or an array of headers. Each is `sha1=<hex>`, `sha256=<hex>`, or bare hex,
   * whose length identifies the algorithm. If there is a SHA-256 signature, all other signatures
   * are ignored, even malformed ones.
   */
  readonly signature: string | readonly (string | undefined)[] | undefined;
  /** Hook secret, or an array of secrets during rotation. */
  readonly secret: Secret;
}

const verifyNames = optionNames<VerifyInput>()('body signature secret');

type Algorithm = 'sha1' | 'sha256';

interface Signature {
  readonly algorithm: Algorithm;
  readonly digest: Buffer;
}

/**
 * Verifies a delivery's signature. `X-Hub-Signature` is an HMAC of the body, keyed with the hook's
 * secret. Digests are compared in constant time.
 * @throws {SignatureError} if the signature is `missing`, `malformed` or a `mismatch`, or if the
 * body was parsed (`not_raw`). The signed bytes can't be restored from a parsed body.
 * @throws {ConfigurationError} if a secret is empty.
 */
export function verifySignature(input: VerifyInput): void {
  forOneCall(() => checkOptions(input, verifyNames));
  const secrets = listSecrets(input.secret);
  const body = rawBytes(input.body);
  const given = strongest(input.signature);
  let matches = false;
  // Try every secret so that timing doesn't reveal which secret matches.
  for (const secret of secrets) {
    for (const { algorithm, digest } of given) {
      const expected = createHmac(algorithm, secret).update(body).digest();
      matches = timingSafeEqual(expected, digest) || matches;
    }
  }
  if (matches) return;
  throw new SignatureError(
    'the signature does not match the body. Check whether the secret is wrong, or the body was changed in transit.',
    { reason: 'mismatch' },
  );
}

/**
 * Returns a raw body's bytes.
 * @throws {SignatureError} (`not_raw`) if the body is parsed.
 */
export function rawBytes(body: RawBody): Uint8Array {
  if (typeof body === 'string') return Buffer.from(body);
  if (types.isUint8Array(body)) return body;
  if (types.isAnyArrayBuffer(body)) return new Uint8Array(body);
  throw notRaw('the body is already parsed');
}

/**
 * Creates the error for a body that isn't raw.
 * @param what Description of the value that was passed instead of raw bytes.
 */
export function notRaw(what: string): SignatureError {
  return new SignatureError(
    `${what}, but a signature covers the received bytes. Verify the delivery before a body parser runs (express.raw() instead of express.json()), or make the parser keep the raw bytes.`,
    { reason: 'not_raw' },
  );
}

function strongest(given: VerifyInput['signature']): readonly Signature[] {
  const headers = typeof given === 'string' ? [given] : (given ?? []);
  const texts = headers.flatMap((text) => (text === undefined || text.trim() === '' ? [] : [text]));
  if (texts.length === 0) {
    throw new SignatureError(
      'the delivery has no signature. Check whether the hook has a secret, or the header was removed in transit.',
      { reason: 'missing' },
    );
  }
  const strong = texts.filter((text) => /^\s*(?:sha256=|[0-9a-f]{64}\s*$)/i.test(text));
  return (strong.length > 0 ? strong : texts).map(parseSignature);
}

function parseSignature(header: string): Signature {
  const digits = /^(?:(?:sha1=)?([0-9a-f]{40})|(?:sha256=)?([0-9a-f]{64}))$/i;
  const [, sha1, sha256] = digits.exec(header.trim()) ?? [];
  if (sha256 !== undefined) return { algorithm: 'sha256', digest: Buffer.from(sha256, 'hex') };
  if (sha1 !== undefined) return { algorithm: 'sha1', digest: Buffer.from(sha1, 'hex') };
  throw new SignatureError(
    'the signature must be sha1=<40 hexadecimal digits> or sha256=<64 hexadecimal digits>',
    { reason: 'malformed' },
  );
}

/** Delivery headers: a plain object, such as `request.headers` in `node:http`, or `Headers`. */
export type DeliveryHeaders =
  // `Pick`: without `dom.iterable`, `Headers` has no `keys` before TypeScript 6.
  | Pick<Headers, 'get' | 'forEach'>
  | Readonly<Record<string, string | readonly string[] | undefined>>;

/** Returns the headers by lowercase name. */
export function readHeaders(headers: DeliveryHeaders): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const add = (value: string | readonly string[] | undefined, name: string) => {
    if (value === undefined) return;
    values.set(name.toLowerCase(), typeof value === 'string' ? value : value.join(', '));
  };
  if (isHeaders(headers)) headers.forEach(add);
  else for (const [name, value] of Object.entries(headers)) add(value, name);
  return values;
}

/**
 * Returns whether the headers are a `Headers` object, including one from another `fetch`
 * implementation.
 */
function isHeaders(headers: DeliveryHeaders): headers is Pick<Headers, 'get' | 'forEach'> {
  return typeof headers.get === 'function';
}

/** Returns a delivery's signatures, the strongest first. Some servers send two. */
export function listSignatures(headers: ReadonlyMap<string, string>): (string | undefined)[] {
  return [headers.get('x-hub-signature-256'), headers.get('x-hub-signature')];
}

/**
 * Returns the vendor name in lower case.
 * @throws {ConfigurationError} if the vendor name isn't a string of letters, digits and hyphens.
 */
export function checkVendor(vendor = 'service'): string {
  if (typeof vendor === 'string' && /^[A-Za-z0-9-]+$/.test(vendor)) return vendor.toLowerCase();
  const why = `must be a string of letters, digits and hyphens, such as 'github' (got ${showValue(vendor)})`;
  throw invalidOption('vendor', why);
}

/** Returns the field schemas that all event models share (see {@link EventEnvelope}). */
const envelopeFields = () => ({
  sender: z.nullish(ref(EventAccount)),
  repository: z.nullish(ref(EventRepository)),
  organization: z.nullish(ref(EventAccount)),
});

const Envelope = model<EventEnvelope>('open')('EventPayload', envelopeFields);

type CheckedPing = EventEnvelope & Pick<PingPayload, 'zen' | 'hook_id'>;

type CheckedIssues = EventEnvelope & { action: string; issue: EventSubject };

const Ping = model<CheckedPing>('open')('PingPayload', () => ({
  ...envelopeFields(),
  zen: z.string(),
  hook_id: z.int(),
}));

const Issues = model<CheckedIssues>('open')('IssuesPayload', () => ({
  ...envelopeFields(),
  action: z.string(),
  issue: z.record(z.string(), z.unknown()),
}));

/**
 * Returns the model of the payload fields that the API specifies for an event. Other fields aren't
 * validated.
 */
export function payloadModel(event: string): Model<EventEnvelope> {
  if (event === 'ping') return Ping;
  return event === 'issues' ? Issues : Envelope;
}

const names: ReadonlySet<string> = new Set<DeliveredEvent>(
  hookEvents.filter((event) => event !== '*'),
);

function isKnownEvent(event: string): event is DeliveredEvent {
  return names.has(event);
}

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
  /** Vendor name in `X-<Vendor>-Event`. Default: `service`. */
  readonly vendor?: string | undefined;
}

const parseNames = optionNames<ParseInput>()('headers body secret vendor');

/**
 * Parses a delivery, which is JSON or a form with the JSON in `payload`. Leaves the payload
 * unchanged. Validates the fields that the API specifies: `sender`, `repository`, `organization`,
 * the fields of a ping, and `action` and `issue` in `issues` events.
 * @throws {SignatureError} if a secret is set and the signature is missing or invalid.
 * @throws {InvalidRequestError} if the event header is missing, the media type is unsupported, the
 * body isn't a JSON object, or a specified field has the wrong type.
 * @throws {ConfigurationError} if a secret is empty or a vendor name is invalid.
 */
export function parseDelivery(input: ParseInput): Delivery {
  forOneCall(() => checkOptions(input, parseNames));
  const { body, secret = false } = input;
  if (typeof input.headers !== 'object' || input.headers === null) {
    throw createInputError('headers', `must be an object (got ${describeKind(input.headers)})`);
  }
  const headers = readHeaders(input.headers);
  const vendor = checkVendor(input.vendor);
  const checked = 'secret' in input && input.secret === undefined ? '' : secret;
  if (checked !== false) {
    verifySignature({ body, signature: listSignatures(headers), secret: checked });
  }
  const event = headers.get(`x-${vendor}-event`);
  if (!event) throw noEvent(headers, vendor);
  const id = headers.get(`x-${vendor}-delivery`) || undefined;
  const payload = extractPayload(headers.get('content-type'), body);
  checkPayload(event, payloadModel(event), payload);
  if (!isKnownEvent(event)) {
    // `as`: the envelope is valid, and an unknown event has no other specified fields.
    return { event: 'other', name: event, id, payload: payload as EventPayload };
  }
  // `as`: the event is in the union, and the specified fields of its payload are valid.
  return { event, id, payload } as Delivery;
}

function noEvent(headers: ReadonlyMap<string, string>, vendor: string): InvalidRequestError {
  const field = `x-${vendor}-event`;
  const vendors = [...headers.keys()].map((name) => /^x-([a-z0-9-]+)-event$/.exec(name)?.[1]);
  const other = vendors.find((each) => each !== undefined);
  const hint =
    other === undefined || other === vendor
      ? 'is missing or empty'
      : `is missing, but x-${other}-event is present. Set vendor: '${other}'.`;
  return new InvalidRequestError(`${field}: ${hint}`, { field });
}

/**
 * Returns the type of a delivery: JSON, or a form with the JSON in `payload`.
 * @throws {InvalidRequestError} if the media type is neither JSON nor a form.
 */
function requireDeliveryType(contentType: string | undefined): 'json' | 'form' {
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
  const [issue] = findIssues(model, payload) ?? [];
  if (!issue) return;
  const path = (issue.path ?? []).map((part) => (typeof part === 'object' ? part.key : part));
  const field = ['payload', ...path].join('.');
  throw createInputError(field, issue.message, event);
}
