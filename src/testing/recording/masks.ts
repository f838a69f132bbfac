import { mask, maskSecrets, minMasked } from '../../masks/secrets.js';
import { isRecord } from '../../schema/unknown-values.js';
import { measureJson } from '../bodies.js';
import { isSecretField, isSecretInResponse, maskHeader } from '../secret-names.js';

/**
 * Minimum length of a learned secret that consists of letters. Unrelated text often contains shorter
 * words.
 */
const shortestWord = 8;
/** Maximum number of learned secrets, because each one slows down masking. Others are masked only by name. */
const mostLearned = 1000;
/** Maximum length of any secret. A longer secret is masked only where it has a secret name. */
const longestSecret = 65_536;
/** Minimum length of a secret cookie value. Shorter values count as settings. */
const shortestCookie = 12;
/** Maximum depth of JSON. Visiting deeper values would overflow the stack. */
const deepest = 500;
/** A parameter of a query or form. The lookbehind matches only at the start of a name. */
const parameter = /(?<=[?&]|^)([\w.%[\]-]{1,128})=([^&#\s"'<>]*)/g;
/** A token in a path. */
const tokenInPath = /(?<=\/applications\/[^/\s"'<>]+\/tokens\/)[^/?\s"'<>]+/g;
/** The password in a URL. */
const passwordInUrl = /(?<=:\/\/[^\s/?#@"'<>:]{0,128}:)[^\s/?#@"'<>]+(?=@)/g;
/** A username that is a token. */
const tokenAsUser = /^(?=.*\d)[\w-]{20,}$/;

/**
 * Masks secrets in recordings. Finds secrets by their names in headers, queries, forms and JSON.
 * Masks learned secrets everywhere, in every form that clients mask in error messages. Learn from a
 * whole exchange before masking any part of it.
 */
export class Masks {
  readonly #learned = new Set<string>();
  #secrets: readonly string[] = [];

  /**
   * @param secrets secrets to mask from the start.
   * @throws {TypeError} if a secret is too short or too long to mask.
   */
  constructor(secrets: readonly string[] = []) {
    for (const [index, secret] of secrets.entries()) {
      const { length } = typeof secret === 'string' ? secret : '';
      if (length < shortestWord || length > longestSecret) {
        throw new TypeError(
          `secrets[${index}]: must be a string of ${shortestWord} to ${longestSecret} characters`,
        );
      }
      this.#learn(secret);
    }
  }

  /** Learns the secrets in a path and query, or a full URL. */
  learnTarget(target: string): void {
    this.#maskParameters(target);
  }

  /** Learns the secrets in headers. */
  learnHeaders(headers: Headers): void {
    for (const [name, value] of headers) {
      const shown = maskHeader(name, value);
      if (shown === value) {
        this.#maskParameters(value);
        continue;
      }
      // The credentials are the part after the scheme, which other headers than `Authorization` may
      // also have. The values of a repeated header are joined with commas.
      const credentials = value.slice(shown.length - mask.length).trim();
      const [, own = ''] = /^[a-z][\w-]*\s+(\S+)$/i.exec(credentials) ?? [];
      for (const each of [credentials, own, ...credentials.split(/,\s*/)]) this.#learn(each);
      if (/cookie$/i.test(name)) {
        for (const [, each = ''] of credentials.matchAll(/="?([^;"]*)/g)) {
          if (each.length < shortestCookie) continue;
          this.#learn(each);
          this.#learn(decodeField(each));
        }
      }
      if (/^basic\s/i.test(shown)) this.#learnBasic(Buffer.from(credentials, 'base64').toString());
    }
  }

  /**
   * Learns the secrets in a body.
   * @param isRequest whether the body belongs to a request, in which more names are secret.
   * @returns a function that masks the body.
   */
  learnBody(contentType: string, text: string, isRequest: boolean): () => string {
    const isForm = /\bx-www-form-urlencoded\b/i.test(contentType);
    const value = isForm ? undefined : parseContainer(text);
    if (value === undefined) {
      const named = this.#maskParameters(text);
      return () => this.#scrub(named);
    }
    const isSecretName = isRequest ? isSecretField : isSecretInResponse;
    const named = this.#maskNamed(value, isSecretName, false);
    return () => {
      const masked = JSON.stringify(mapTexts(named, (each) => this.#scrub(each)));
      // Keep the text of a body without secrets, with its spaces and numbers.
      return masked === JSON.stringify(value) ? text : masked;
    };
  }

  /** Masks a path and query, a full URL, or other text. */
  target(target: string): string {
    return this.#scrub(maskParameters(target));
  }

  header(name: string, value: string): string {
    const shown = maskHeader(name, value);
    return shown === value ? this.target(value) : shown;
  }

  /** Learns the secrets in the parameters that text contains, and masks the parameters. */
  #maskParameters(text: string): string {
    return maskParameters(text, (each) => this.#learn(each));
  }

  /** Learns and masks the strings and numbers that have a secret name, at any depth. */
  #maskNamed(value: unknown, isSecretName: (name: string) => boolean, isSecret: boolean): unknown {
    if (typeof value === 'string' && !isSecret) return this.#maskParameters(value);
    if (typeof value === 'string' || typeof value === 'number') {
      if (!isSecret || value === '') return value;
      this.#learn(String(value));
      return mask;
    }
    if (Array.isArray(value)) {
      return value.map((each) => this.#maskNamed(each, isSecretName, isSecret));
    }
    if (!isRecord(value)) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, each]) => [
        this.#maskParameters(name),
        this.#maskNamed(each, isSecretName, isSecret || isSecretName(name)),
      ]),
    );
  }

  /** Learns the secret parts of `user:password`. The username may be a token. */
  #learnBasic(text: string): void {
    const colon = text.indexOf(':');
    const [user, password] = [text.slice(0, Math.max(0, colon)), text.slice(colon + 1)];
    this.#learn(password);
    if (/^(?:x|x-oauth-basic)?$/i.test(password) || tokenAsUser.test(user)) this.#learn(user);
  }

  #learn(secret: string): void {
    if (this.#learned.size >= mostLearned) return;
    const shortest = /^[a-z_]+$/i.test(secret) ? shortestWord : minMasked;
    if (secret.length >= shortest && secret.length <= longestSecret && secret !== mask) {
      this.#learned.add(secret);
    }
  }

  #current(): readonly string[] {
    // A new list only if it changed, because masks are cached by list.
    if (this.#secrets.length !== this.#learned.size) this.#secrets = [...this.#learned];
    return this.#secrets;
  }

  #scrub(text: string): string {
    return maskSecrets(text, this.#current());
  }
}

/** Masks tokens, passwords and parameters with secret names in URLs. @param learn called with each value. */
function maskParameters(text: string, learn: (value: string) => void = () => {}): string {
  const hide = (value: string) => {
    learn(value);
    learn(decodeField(value));
    return mask;
  };
  return text
    .replace(tokenInPath, hide)
    .replace(passwordInUrl, hide)
    .replace(parameter, (whole: string, name: string, value: string) =>
      value !== '' && isSecretField(decodeField(name)) ? `${name}=${hide(value)}` : whole,
    );
}

/** Parses a JSON object or array. Undefined for other text, and for JSON that is too deep. */
function parseContainer(text: string): unknown {
  try {
    const isContainer = /^\s*[{[]/.test(text.slice(0, 100)) && measureJson(text).depth <= deepest;
    return isContainer ? JSON.parse(text) : undefined;
  } catch {
    return undefined;
  }
}

/** Changes each string and name in JSON. */
function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value);
  if (typeof value === 'number') return change(String(value)) === mask ? mask : value;
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, change));
  if (!isRecord(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, each]) => [change(name), mapTexts(each, change)]),
  );
}

/** Percent-decodes text. Returns invalid text unchanged. */
function decodeField(text: string): string {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '));
  } catch {
    return text;
  }
}
