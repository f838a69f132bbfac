import { createHmac, timingSafeEqual } from 'node:crypto';
import { types } from 'node:util';
import { SignatureError } from '../errors/index.js';
import { checkOptions, forOneCall, invalidOption, optionNames } from '../option-names.js';

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

const names = optionNames<VerifyInput>()('body signature secret');

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
  forOneCall(() => checkOptions(input, names));
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
