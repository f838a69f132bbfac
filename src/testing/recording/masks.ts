import { decodedViews } from '../../masks/decoded-views.js';
import { maskOctets, masksOf, maskText, type SecretMasks } from '../../masks/secret-masks.js';
import { isSecretField, mask, maskHeader, maskPairs, maskTarget } from '../secret-names.js';
import { parseString, rewriteJson } from './json-text.js';

/** A word of letters is learned from this length on: shorter ones stand in texts that have nothing to do with them. */
const shortestWord = 8;
/** Any other secret is learned from this length on, as the clients' masks find none that is shorter. */
const shortestSecret = 5;
/**
 * Bodies of responses teach no more secrets beyond this number: a server could fill them with secrets,
 * and each costs time for every text. Any further one is masked under its own name only.
 */
const mostFromResponses = 500;
/** Names whose values are secrets in requests, and mere words in responses: `errors[].code`. */
const onlyInRequests = /^(?:code|license)$/i;
/** A parameter within a text: in a `Link` header, or in a URL that stands in JSON. */
const parameter = /(^|[?&;#\s<"']|\\u0026)([\w.%[\]-]{1,60})=([^&;#\s<>"'\\,)\]}]+)/g;
/** The same, without its value being read over: it may contain further ones. */
const parameterName =
  /(?<=^|[?&;#\s<"']|\\u0026)([\w.%[\]-]{1,60})=(?=([^&;#\s<>"'\\,)\]}]{1,1024}))/g;
const tokenInPath = /(\/applications\/[^/\s"'<>]+\/tokens\/)([^/?\s"'<>]+)/g;
/** A token sent as user name: this long and with a digit, or with one of the passwords that say so. */
const tokenAsUser = /^(?=.*\d)[\w-]{20,}$/;
const passwordBesideToken = /^(?:x|x-oauth-basic)?$/i;

/**
 * Takes secrets out of what is recorded: by the names they stand under, and, once learned, wherever they
 * are and in whichever encoding: with the masks that the clients use for their errors. Learn from a whole
 * exchange before you mask any part of it.
 */
export class Masks {
  readonly #learned = new Set<string>();
  #masks: SecretMasks | undefined;

  /** @param secrets known beforehand. */
  constructor(secrets: readonly string[] = []) {
    for (const secret of secrets) this.#learn(secret);
  }

  /** Learns the credentials of a request's URL and headers. */
  learnRequest(target: string, headers: Headers): void {
    this.#learnHeaders(headers);
    for (const [name, value] of new URLSearchParams(target.split('?').slice(1).join('?'))) {
      if (isSecretField(name)) this.#learn(value);
    }
    this.#learnText(target);
  }

  /** Learns what the headers of a response show. */
  learnResponse(headers: Headers): void {
    this.#learnHeaders(headers);
  }

  /** Learns the secrets of a body. @param isRequest it is the body of a request. */
  learnBody(contentType: string, text: string, isRequest: boolean): void {
    if (!isRequest && this.#learned.size >= mostFromResponses) return;
    switch (kindOf(contentType, text)) {
      case 'form':
        for (const [name, value] of new URLSearchParams(text)) {
          if (isSecretField(name)) this.#learn(value);
        }
        return;
      case 'json':
        rewriteJson(text, secretNames(isRequest), (part, raw, isSecret) => {
          if (part === 'name' || (!isRequest && this.#learned.size >= mostFromResponses))
            return raw;
          if (isSecret) this.#learn(part === 'string' ? parseString(raw) : raw);
          else if (part === 'string') this.#learnText(raw);
          return raw;
        });
        return;
      case 'xml':
        for (const [, name = '', value = ''] of text.matchAll(element)) {
          if (isSecretField(name)) this.#learn(value);
        }
        return;
      default:
        this.#learnText(text);
    }
  }

  /** Path and query, or a whole URL. */
  target(target: string): string {
    return this.#scrub(maskTarget(target));
  }

  header(name: string, value: string): string {
    const shown = maskHeader(name, value);
    if (shown !== value) return shown;
    return this.#scrub(name === 'location' ? maskTarget(value) : maskParameters(value));
  }

  /** A body. @param isRequest it is the body of a request. */
  text(contentType: string, text: string, isRequest: boolean): string {
    switch (kindOf(contentType, text)) {
      case 'form':
        return this.#scrub(maskPairs(text));
      case 'json':
        return rewriteJson(text, secretNames(isRequest), (part, raw, isSecret) => {
          if (part === 'scalar') {
            const isShown = !/\d/.test(raw) || (!isSecret && this.#scrub(raw) === raw);
            return isShown ? raw : `"${mask}"`;
          }
          if (part === 'string' && raw !== '""' && (isSecret || raw.includes('PRIVATE KEY'))) {
            return `"${mask}"`;
          }
          return this.#scrub(part === 'string' ? maskParameters(raw) : raw);
        });
      case 'xml':
        return this.#scrub(
          text.replace(element, (whole: string, name: string) =>
            isSecretField(name) ? `<${name}>${mask}</` : whole,
          ),
        );
      default:
        return this.#scrub(maskParameters(text));
    }
  }

  /**
   * Octets that come in pieces, each character one octet. Only the secrets themselves, their Base64 and
   * hex are found.
   * @returns what can be written, and the rest, to be passed again with the next piece.
   */
  octets(text: string, isLast: boolean): { readonly clean: string; readonly rest: string } {
    const masks = this.#current();
    return masks ? maskOctets(text, masks, isLast) : { clean: text, rest: '' };
  }

  #learnHeaders(headers: Headers): void {
    for (const [name, value] of headers) {
      const shown = maskHeader(name, value);
      if (shown === value) {
        this.#learnText(value);
        continue;
      }
      // What follows the scheme; a cookie is a secret as a whole.
      const credentials = value.slice(shown.length - mask.length);
      this.#learn(credentials);
      if (/^basic /i.test(shown)) this.#learnBasic(credentials);
    }
  }

  #learnBasic(credentials: string): void {
    const text = Buffer.from(credentials, 'base64').toString();
    const colon = text.indexOf(':');
    const [user, password] = [text.slice(0, Math.max(0, colon)), text.slice(colon + 1)];
    this.#learn(password);
    if (passwordBesideToken.test(password) || tokenAsUser.test(user)) this.#learn(user);
  }

  /** Learns parameters of secret names in a text, and in what it says when it is decoded. */
  #learnText(text: string): void {
    for (const [, , token = ''] of text.matchAll(tokenInPath)) this.#learn(decode(token));
    if (!/=|%(?:25)*3d/i.test(text)) return;
    for (const view of decodedViews(text)) {
      for (const [, name = '', value = ''] of view.text.matchAll(parameterName)) {
        if (isSecretField(decode(name))) this.#learn(decode(value));
      }
    }
  }

  #learn(secret: string): void {
    const shortest = /^[a-z_]+$/i.test(secret) ? shortestWord : shortestSecret;
    if (secret.length < shortest || secret === mask || this.#learned.has(secret)) return;
    this.#learned.add(secret);
    this.#masks = undefined;
  }

  #current(): SecretMasks | undefined {
    if (this.#learned.size > 0) this.#masks ??= masksOf([...this.#learned]);
    return this.#masks;
  }

  #scrub(text: string): string {
    const masks = this.#current();
    return masks ? maskText(text, masks) : text;
  }
}

/** An XML element without children. */
const element = /<([\w.-]{1,100})>([^<]*)<\//g;

/** How a body is read: by its media type, or as JSON if it has none that says otherwise and looks like it. */
function kindOf(contentType: string, text: string): 'form' | 'json' | 'xml' | 'text' {
  if (/\bx-www-form-urlencoded\b/i.test(contentType)) return 'form';
  if (/\bjson\b/i.test(contentType)) return 'json';
  if (/\bxml\b/i.test(contentType)) return 'xml';
  return /^\s*[{[]/.test(text.slice(0, 100)) ? 'json' : 'text';
}

function secretNames(isRequest: boolean): (name: string) => boolean {
  return (name) => isSecretField(name) && (isRequest || !onlyInRequests.test(name));
}

function maskParameters(text: string): string {
  return text
    .replace(tokenInPath, `$1${mask}`)
    .replace(parameter, (whole: string, before: string, name: string) =>
      isSecretField(decode(name)) ? `${before}${name}=${mask}` : whole,
    );
}

/** Percent-decoded, or as it is. */
function decode(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
