import { decodedViews } from '../../masks/decoded-views.js';
import { createMasks, maskOctets, maskText, type SecretMasks } from '../../masks/secret-masks.js';
import { isSecretField, mask, maskHeader, maskPairs, maskTarget } from '../secret-names.js';
import { parseString, rewriteJson } from './json-text.js';
import { decodeRecorded } from './text-encoding.js';
import {
  findSecrets,
  isToken,
  maskSpans,
  maskTextSecrets,
  pieceLength,
  secretsOfBasic,
} from './text-secrets.js';
import { spansOfAttributes, spansOfTexts } from './text-spans.js';
import { rewriteXml } from './xml-text.js';

/**
 * Minimum length of a learned secret that consists of letters. Unrelated text often contains shorter
 * words.
 */
const shortestWord = 8;
/** Minimum length of any other learned secret. The clients' masks ignore shorter secrets. */
const shortestSecret = 5;
/**
 * Maximum number of secrets learned from responses. Each secret slows down masking, and a server could
 * send any number. Further secrets are masked only where a secret name precedes them.
 */
const mostFromResponses = 500;
/** Names whose values are secret in requests but not in responses, such as `errors[].code`. */
const onlyInRequests = /^(?:code|license)$/i;
/**
 * Matches a number or literal. A word that doesn't match means that the text isn't JSON,
 * regardless of its media type.
 */
const jsonScalar = /^(?:-?\d[\d.e+-]*|true|false|null)$/i;
/** Matches valid form text. Other text that is declared as a form is first searched as a whole. */
const urlEncoded = /^[^\s"<>]*$/;
/** Maximum length of a learned secret. A longer secret is masked only where a secret name precedes it. */
const longestSecret = 65_536;
/** Minimum length of a secret cookie value. Shorter values are settings. */
const shortestCookie = 12;
/**
 * Masks secrets in recordings. Finds secrets by their names. Masks learned secrets in every place
 * and encoding in which clients mask secrets in error messages. Learn from a whole exchange before
 * masking any part of it.
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

  /** Learns the credentials in a request's URL and headers. */
  learnRequest(target: string, headers: Headers): void {
    this.#learnHeaders(headers, true);
    for (const [name, value] of new URLSearchParams(target.split('?').slice(1).join('?'))) {
      if (isSecretField(name)) this.#learn(value);
    }
    this.#learnText(target, true);
  }

  /** Learns the secrets in a response's headers. */
  learnResponse(headers: Headers): void {
    this.#learnHeaders(headers, false);
  }

  /** Learns the secrets in a body. @param isRequest whether it is a request's body. */
  learnBody(contentType: string, text: string, isRequest: boolean): void {
    switch (classifyBody(contentType, text)) {
      case 'form':
        for (const [name, value] of new URLSearchParams(text)) {
          if (isSecretField(name)) this.#learn(value, isRequest);
          else this.#learnText(value, isRequest);
        }
        return;
      case 'json': {
        let isJson = true;
        rewriteJson(text, secretNames(isRequest), (part, raw, isSecret) => {
          if (isSecret && (part !== 'name' || isToken(parseString(raw)))) {
            this.#learn(part === 'scalar' ? raw : parseString(raw), isRequest);
          } else if (part !== 'scalar') this.#learnText(raw, isRequest);
          isJson &&= part !== 'scalar' || jsonScalar.test(raw);
          return raw;
        });
        if (!isJson) this.#learnText(text, isRequest);
        return;
      }
      case 'xml':
        rewriteXml(text, isSecretField, (part, raw, isSecret) => {
          if (part === 'tag' || !isSecret) this.#learnText(raw, isRequest);
          else {
            for (const span of spansOfTexts(raw)) {
              for (const view of decodedViews(raw.slice(...span)))
                this.#learn(view.text, isRequest);
            }
          }
          return raw;
        });
        return;
      default:
        this.#learnText(text, isRequest);
    }
  }

  /** Masks a path and query, or a full URL. */
  target(target: string): string {
    // `https://token:8443` is an address, not a name with a value.
    const [origin = ''] = /^https?:\/\/[^/?#]*/i.exec(target) ?? [];
    return this.#scrub(origin + maskTextSecrets(maskTarget(target.slice(origin.length))));
  }

  header(name: string, value: string): string {
    const shown = maskHeader(name, value);
    if (shown !== value) return shown;
    return this.#scrub(maskTextSecrets(name === 'location' ? maskTarget(value) : value));
  }

  /** Masks a body. @param isRequest whether it is a request's body. */
  text(contentType: string, text: string, isRequest: boolean): string {
    switch (classifyBody(contentType, text)) {
      case 'form':
        return this.#scrub(
          urlEncoded.test(text)
            ? maskTextSecrets(maskPairs(text))
            : maskPairs(maskTextSecrets(text)),
        );
      case 'json': {
        let isJson = true;
        const masked = rewriteJson(text, secretNames(isRequest), (part, raw, isSecret) => {
          if (part === 'scalar') {
            isJson &&= jsonScalar.test(raw);
            const isShown = !/\d/.test(raw) || (!isSecret && this.#scrub(raw) === raw);
            return isShown ? raw : `"${mask}"`;
          }
          const isMasked =
            part === 'string'
              ? raw !== '""' && (isSecret || raw.includes('PRIVATE KEY'))
              : isSecret && isToken(parseString(raw));
          if (isMasked) return `"${mask}"`;
          // Excludes the last quote, because the value of an unclosed quotation would include it.
          const end = raw.endsWith('"') ? raw.length - 1 : raw.length;
          return this.#scrub(maskTextSecrets(raw.slice(0, end)) + raw.slice(end));
        });
        return isJson ? masked : this.#scrub(maskTextSecrets(masked));
      }
      case 'xml':
        return this.#scrub(
          rewriteXml(text, isSecretField, (part, raw, isSecret) => {
            if (!isSecret) return maskTextSecrets(raw);
            return part === 'text' ? mask : maskSpans(raw, spansOfAttributes(raw, /^(?!xmlns\b)/i));
          }),
        );
      default:
        return this.#scrub(maskTextSecrets(text));
    }
  }

  /**
   * Masks octets that arrive in pieces, as text with one character per octet. Finds secrets only in
   * plain text, Base64 and hex.
   * @returns the masked text, and the rest, which you must pass again before the next piece.
   */
  octets(text: string, isLast: boolean): { readonly clean: string; readonly rest: string } {
    const masks = this.#current();
    return masks ? maskOctets(text, masks, isLast) : { clean: text, rest: '' };
  }

  #learnHeaders(headers: Headers, isRequest: boolean): void {
    for (const [name, value] of headers) {
      const shown = maskHeader(name, value);
      if (shown === value) {
        this.#learnText(value, isRequest);
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
        this.#learnText(credentials, isRequest);
        // A header that occurs several times has several values.
        for (const each of credentials.split(/,\s*/)) this.#learn(each, isRequest);
      }
      if (/^basic\s/i.test(shown)) this.#learnBasic(credentials);
    }
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

  #learnText(text: string, isRequest: boolean): void {
    for (const secret of findSecrets(text)) this.#learn(secret, isRequest);
  }

  #learn(secret: string, isRequest = true): void {
    if (!isRequest && this.#learned.size >= mostFromResponses) return;
    const shortest = /^[a-z_]+$/i.test(secret) ? shortestWord : shortestSecret;
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

/**
 * Returns a body's format from its media type, or `json` if the type names no other format and the body looks
 * like JSON.
 */
function classifyBody(contentType: string, text: string): 'form' | 'json' | 'xml' | 'text' {
  if (/\bx-www-form-urlencoded\b/i.test(contentType)) return 'form';
  if (/\bjson\b/i.test(contentType)) return 'json';
  if (/\bxml\b/i.test(contentType)) return 'xml';
  return /^\s*[{[]/.test(text.slice(0, 100)) ? 'json' : 'text';
}

function secretNames(isRequest: boolean): (name: string) => boolean {
  return (name) => isSecretField(name) && (isRequest || !onlyInRequests.test(name));
}
