import { decodedViews } from '../../masks/decoded-views.js';
import {
  createMasks,
  type MaskedSpan,
  mask,
  maskOctets,
  maskSpans,
  maskText,
  minMasked,
  type SecretMasks,
} from '../../masks/secret-masks.js';
import { maskHeader } from '../secret-names.js';
import { findInBody } from './body-secrets.js';
import { readJson } from './json-text.js';
import { decodeRecorded } from './text-encoding.js';
import {
  type FoundSecrets,
  findInParameters,
  findSecrets,
  pieceLength,
  secretsOfBasic,
} from './text-secrets.js';

/**
 * Minimum length of a learned secret that consists of letters. Unrelated text often contains shorter
 * words.
 */
const shortestWord = 8;
/**
 * Maximum number of secrets learned from responses. Each secret slows down masking, and a server could
 * send any number. Additional secrets are masked only if a secret name precedes them.
 */
const mostFromResponses = 500;
/** Maximum length of a learned secret. A longer secret is masked only where a secret name precedes it. */
const longestSecret = 65_536;
/** Minimum length of a secret cookie value. Shorter values count as settings. */
const shortestCookie = 12;
/**
 * Masks secrets in recordings. Finds secrets by their names. Masks learned secrets everywhere, in
 * every encoding that clients mask in error messages. Learn from a whole exchange before masking
 * any part of it.
 */
export class Masks {
  readonly #learned = new Set<string>();
  #masks: SecretMasks | undefined;

  /**
   * @param secrets secrets to mask from the start.
   * @throws {TypeError} if a secret is too short or too long to mask.
   */
  constructor(secrets: readonly string[] = []) {
    for (const [index, secret] of secrets.entries()) {
      if (
        typeof secret !== 'string' ||
        secret.length < shortestWord ||
        secret.length > longestSecret
      ) {
        throw new TypeError(
          `secrets[${index}]: must be a string of ${shortestWord} to ${longestSecret} characters`,
        );
      }
      this.#learn(secret);
    }
  }

  /** Learns the secrets in a path and query, or a full URL. */
  learnTarget(target: string): void {
    this.#learnFound(findInParameters(target), true);
  }

  /** Learns the secrets in headers. @param isRequest whether the headers belong to a request. */
  learnHeaders(headers: Headers, isRequest: boolean): void {
    for (const [name, value] of headers) {
      const shown = maskHeader(name, value);
      if (shown === value) {
        this.#learnFound(findSecrets(value), isRequest);
        continue;
      }
      // The credentials are the part after the scheme. Both the whole cookie and its values are
      // secrets.
      const credentials = value.slice(shown.length - mask.length).trim();
      this.#learn(credentials, isRequest);
      // Headers other than `Authorization` may also have a scheme, as in `X-Token: Bearer …`.
      this.#learn(/^[a-z][\w-]*\s+(\S+)$/i.exec(credentials)?.[1] ?? '', isRequest);
      if (/cookie$/i.test(name)) this.#learnCookies(credentials, isRequest);
      else {
        this.#learnFound(findSecrets(credentials), isRequest);
        // The values of a repeated header are joined with commas.
        for (const each of credentials.split(/,\s*/)) this.#learn(each, isRequest);
      }
      if (/^basic\s/i.test(shown)) this.#learnBasic(credentials);
    }
  }

  /**
   * Learns the secrets in a body.
   * @param isRequest whether the body belongs to a request.
   * @returns a function that masks the body.
   */
  learnBody(contentType: string, text: string, isRequest: boolean): () => string {
    const { secrets, isJson } = findInBody(contentType, text, isRequest);
    this.#learnFound(secrets, isRequest);
    return () => {
      const masked = maskSpans(text, secrets.spans);
      return isJson ? this.#scrubJson(masked) : this.#scrub(masked);
    };
  }

  /** Masks a path and query, or a full URL. */
  target(target: string): string {
    // `https://token:8443` is an address, not a name with a value.
    const [origin = ''] = /^https?:\/\/[^/?#]*/i.exec(target) ?? [];
    const rest = target.slice(origin.length);
    return this.#scrub(origin + maskSpans(rest, findInParameters(rest).spans));
  }

  header(name: string, value: string): string {
    const shown = maskHeader(name, value);
    if (shown !== value) return shown;
    const found = name === 'location' ? findInParameters(value) : findSecrets(value);
    return this.#scrub(maskSpans(value, found.spans));
  }

  /**
   * Masks bytes that arrive in chunks, as text with one character per byte. Finds secrets only in
   * plain text, Base64 and hex.
   * @returns the masked text and the rest, which you must pass again before the next chunk.
   */
  octets(text: string, isLast: boolean): { readonly clean: string; readonly rest: string } {
    const masks = this.#current();
    return masks ? maskOctets(text, masks, isLast) : { clean: text, rest: '' };
  }

  #learnCookies(text: string, isRequest: boolean): void {
    for (const [, each = ''] of text.matchAll(/="?([^;"]*)/g)) {
      if (each.length < shortestCookie) continue;
      for (const view of decodedViews(each)) this.#learn(view.text, isRequest);
    }
  }

  #learnBasic(credentials: string): void {
    for (const each of secretsOfBasic(decodeRecorded(Buffer.from(credentials, 'base64')).text)) {
      this.#learn(each);
    }
  }

  #learnFound({ values }: FoundSecrets, isRequest: boolean): void {
    for (const each of values) this.#learn(each, isRequest);
  }

  #learn(secret: string, isRequest = true): void {
    if (!isRequest && this.#learned.size >= mostFromResponses) return;
    const shortest = /^[a-z_]+$/i.test(secret) ? shortestWord : minMasked;
    if (
      secret.length < shortest ||
      secret.length > longestSecret ||
      secret === mask ||
      this.#learned.has(secret)
    )
      return;
    this.#learned.add(secret);
    this.#masks = undefined;
  }

  #current(): SecretMasks | undefined {
    if (this.#learned.size > 0) this.#masks ??= createMasks([...this.#learned]);
    return this.#masks;
  }

  #scrub(text: string): string {
    const masks = this.#current();
    return masks ? maskPieces(text, masks) : text;
  }

  /** Masks learned secrets in each name and value. The text remains valid JSON. */
  #scrubJson(text: string): string {
    const spans: MaskedSpan[] = [];
    for (const { kind, start, end } of readJson(text, () => false)) {
      const content = text.slice(start, end);
      const clean = this.#scrub(content);
      if (clean !== content) spans.push([start, end, kind === 'scalar' ? `"${mask}"` : clean]);
    }
    return maskSpans(text, spans);
  }
}

function maskPieces(text: string, masks: SecretMasks): string {
  const pieces: string[] = [];
  let start = 0;
  for (let cut = pieceLength; cut < text.length; ) {
    const before = text.slice(Math.max(start, cut - masks.longest), cut);
    const after = text.slice(cut, cut + masks.longest);
    if (maskText(before, masks) + maskText(after, masks) === maskText(before + after, masks)) {
      pieces.push(maskText(text.slice(start, cut), masks));
      start = cut;
      cut += pieceLength;
    } else cut += masks.longest; // a secret spans the cut
  }
  pieces.push(maskText(text.slice(start), masks));
  return pieces.join('');
}
