import { mask, maskSecrets, minMasked } from '../../masks/secrets.js';
import {
  decodeField,
  isSecretField,
  isSecretHeader,
  isSecretInResponse,
  mapData,
  maskBody,
  maskHeader,
  maskTarget,
  parseContainer,
  serializeChanged,
} from '../secret-names.js';
import { createInlineBody, type RecordedRequest } from './format.js';

/**
 * Minimum length of a learned secret that consists of letters. Unrelated text often contains shorter
 * words.
 */
const shortestWord = 8;
/**
 * Maximum number of learned secrets, because each secret slows down masking. Further secrets are
 * masked only if they have a secret name.
 */
const mostLearned = 1000;
/**
 * Number of secrets to search for at a time. A regular expression for 300 secrets takes 100 times as
 * long as three for 100 secrets each.
 */
const atATime = 100;
/** Maximum length of any secret. A longer secret is masked only if it has a secret name. */
const longestSecret = 65_536;
/** Request headers that a response may depend on. */
const deciding = ['accept', 'content-type', 'if-modified-since', 'if-none-match', 'range'];
/** A cookie's value. Values of fewer than 12 characters are treated as settings. */
const cookieValue = /="?([^;"]{12,})/g;
/** A named part of credentials, as in `id=1; key="…"`. */
const namedCredential = /[\w.-]+=("?)([^;,\s"]+)\1/g;
/** A username that is a token. */
const tokenAsUser = /^(?=.*\d)[\w-]{20,}$/;

/**
 * Masks secrets in recordings. `request`, `header` and `body` find secrets by their names, mask them
 * and remember them. `scrub` then masks the remembered secrets everywhere, in every form that
 * clients mask in error messages.
 */
export class Masks {
  readonly #learned = new Set<string>();
  /**
   * Lists of the learned secrets. Cleared when a secret is learned, because masks are cached by
   * list.
   */
  #lists: readonly (readonly string[])[] | undefined;
  readonly #remember = (secret: string) => this.#learn(secret);

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

  /**
   * Masks the parts of a request that the response depends on.
   * @param text body. Undefined if it isn't recorded.
   * @returns a function that returns the masked parts. The function also masks secrets that are
   * learned before it is called.
   */
  request(
    method: string,
    url: string,
    headers: Headers,
    text: string | undefined,
  ): () => RecordedRequest {
    const shown = [...headers].map(([name, value]) => [name, this.header(name, value)] as const);
    const decided = shown
      .filter(([name]) => deciding.includes(name))
      // Removes the boundary, because it is different for each multipart form.
      .map(([name, value]) => [name, value.replace(/;\s*boundary=.*/i, '')]);
    const head = {
      method,
      url: maskTarget(url, this.#remember),
      headers: Object.fromEntries(decided),
    };
    const type = headers.get('content-type') ?? '';
    const body = this.body(type, text ?? '', isSecretField);
    return () => ({ ...this.scrub(head), ...createInlineBody(type, this.scrubBody(body)) });
  }

  header(name: string, value: string): string {
    const shown = maskHeader(name, value, this.#remember);
    if (!isSecretHeader(name)) return shown;
    // The credentials are the part after the scheme. Headers other than `Authorization` may also
    // have a scheme. The values of a repeated header are joined with commas.
    const credentials = value.slice(shown.length - mask.length).trim();
    const [, own = ''] = /^[a-z][\w-]*\s+(\S+)$/i.exec(credentials) ?? [];
    for (const each of [credentials, own, ...credentials.split(/,\s*/)]) this.#learn(each);
    if (!/cookie$/i.test(name)) {
      for (const [, , each = ''] of credentials.matchAll(namedCredential)) this.#learn(each);
    } else {
      for (const [, each = ''] of credentials.matchAll(cookieValue)) {
        this.#learn(each);
        this.#learn(decodeField(each));
      }
    }
    if (/^basic\s/i.test(shown)) this.#learnBasic(Buffer.from(credentials, 'base64').toString());
    return shown;
  }

  /** Masks the values in a text body that have a secret name. */
  body(type: string, text: string, isSecretName = isSecretInResponse): string {
    return maskBody(type, text, this.#remember, isSecretName);
  }

  /** Masks the remembered secrets in a text body. JSON may contain them with unusual escapes. */
  scrubBody(text: string): string {
    const value = parseContainer(text);
    return value === undefined
      ? this.scrub(text)
      : serializeChanged(text, value, this.scrub(value));
  }

  /** Masks the remembered secrets in text or JSON data. */
  scrub<T>(data: T): T {
    this.#lists ??= this.#createLists();
    const lists = this.#lists;
    const hide = (value: string | number) => {
      const masked = lists.reduce<string>(maskSecrets, String(value));
      return typeof value === 'string' || masked === mask ? masked : value;
    };
    // `as`: the copy keeps the members of `T`. Their names, such as `method` and `headers`, are too
    // short to contain a learned secret.
    return mapData(data, hide) as T;
  }

  /** Lists the longest secrets first, because a secret may contain another secret. */
  #createLists(): readonly (readonly string[])[] {
    const sorted = [...this.#learned].sort((one, other) => other.length - one.length);
    return Array.from({ length: Math.ceil(sorted.length / atATime) }, (_, index) =>
      sorted.slice(index * atATime, (index + 1) * atATime),
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
    if (this.#learned.size >= mostLearned || this.#learned.has(secret)) return;
    const shortest = /^[a-z_]+$/i.test(secret) ? shortestWord : minMasked;
    if (secret.length >= shortest && secret.length <= longestSecret && secret !== mask) {
      this.#learned.add(secret);
      this.#lists = undefined;
    }
  }
}
