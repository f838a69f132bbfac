import { createHmac, timingSafeEqual } from 'node:crypto';
import { SignatureError } from '../errors.js';

/** The bytes of a delivery as they came in: never parsed and written again. */
export type RawBody = Uint8Array | string;

/** What {@link verifySignature} takes. */
export interface VerifyInput {
  /** The raw body; a string stands for its UTF-8 bytes. */
  readonly body: RawBody;
  /**
   * The signature header: `sha1=<hex>`, bare hex (SHA-1), or `sha256=<hex>`. Where the server sends
   * several, give the strongest.
   */
  readonly signature: string | undefined;
  /** The hook's secret; several while it is being rotated. */
  readonly secret: string | readonly string[];
}

type Algorithm = 'sha1' | 'sha256';

const digestLength: Readonly<Record<Algorithm, number>> = { sha1: 40, sha256: 64 };

/**
 * Verifies a delivery (contract: Events, Rules; `X-Hub-Signature` is the HMAC of the body under the
 * hook's secret). Digests are compared in constant time.
 * @throws {SignatureError} `missing`, `malformed` or `mismatch`; `not_raw` where a parsed body was
 * given, whose bytes are no longer those that were signed.
 */
export function verifySignature(input: VerifyInput): void {
  const body = rawBytes(input.body);
  const { algorithm, digest } = parseSignature(input.signature);
  const secrets = typeof input.secret === 'string' ? [input.secret] : input.secret;
  const usable = secrets.filter((secret) => typeof secret === 'string' && secret !== '');
  if (usable.length === 0) throw new TypeError('secret: expected a string that is not empty');
  const given = Buffer.from(digest, 'hex');
  let matches = false;
  // Every secret is tried, so that the time tells nothing about which of them fits.
  for (const secret of usable) {
    const expected = createHmac(algorithm, secret).update(body).digest();
    matches = timingSafeEqual(expected, given) || matches;
  }
  if (!matches) {
    throw new SignatureError(
      'the signature does not fit the body: another secret, or a body that was changed on its way',
      'mismatch',
    );
  }
}

/** Signs a body as the server does. @returns the value of the signature header. */
export function signBody(body: RawBody, secret: string, algorithm: Algorithm = 'sha1'): string {
  return `${algorithm}=${createHmac(algorithm, secret).update(rawBytes(body)).digest('hex')}`;
}

/** The bytes of a raw body. @throws {SignatureError} `not_raw` */
export function rawBytes(body: RawBody): Uint8Array {
  if (typeof body === 'string') return Buffer.from(body, 'utf8');
  if (body instanceof Uint8Array) return body;
  throw new SignatureError(
    'the body is not raw: a signature can only be verified over the bytes as they came in. Verify before a body parser runs, or have the parser keep the raw bytes',
    'not_raw',
  );
}

function parseSignature(signature: string | undefined): {
  algorithm: Algorithm;
  digest: string;
} {
  if (typeof signature !== 'string' || signature.trim() === '') {
    throw new SignatureError(
      'the delivery carries no signature: its hook has no secret, or the header was dropped on the way',
      'missing',
    );
  }
  const text = signature.trim();
  const equals = text.indexOf('=');
  const algorithm = equals < 0 ? 'sha1' : text.slice(0, equals).toLowerCase();
  const digest = text.slice(equals + 1).toLowerCase();
  if (algorithm !== 'sha1' && algorithm !== 'sha256') {
    throw new SignatureError(
      'the signature is of an unknown kind: expected sha1 or sha256',
      'malformed',
    );
  }
  if (digest.length !== digestLength[algorithm] || !/^[0-9a-f]+$/.test(digest)) {
    throw new SignatureError(
      `the signature is malformed: expected ${digestLength[algorithm]} hex digits`,
      'malformed',
    );
  }
  return { algorithm, digest };
}
