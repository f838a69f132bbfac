import { isSecretField, mask, maskHeader, maskPairs, maskTarget } from '../secret-names.js';

/** Shorter secrets are masked where their name tells them, and not wherever their letters stand. */
const leastLearned = 8;
/** A string of JSON: a name with a string after its colon, any other name, or a value. */
const jsonString = /("(?:[^"\\]|\\.)*")(?:(\s*:\s*)("(?:[^"\\]|\\.)*")?)?/g;
/** Names whose values are secrets when asked, and mere words when answered: `errors[].code`. */
const onlyAsked = /^(?:code|license)$/i;

/**
 * Takes secrets out of what is recorded: by the names they stand under, and, wherever else they stand as
 * a whole, those that were seen once.
 */
export class Masks {
  readonly #learned = new Set<string>();
  #pattern: RegExp | undefined;

  /** @param secrets known beforehand. */
  constructor(secrets: readonly string[] = []) {
    for (const secret of secrets) this.#learn(secret);
  }

  /** Learns the credentials that a request shows. Before anything of it is masked. */
  learn(target: string, headers: Headers): void {
    for (const [name, value] of headers) {
      const shown = maskHeader(name, value);
      if (shown === value) continue;
      // What follows the scheme; a cookie is one as a whole.
      const credentials = value.slice(shown.length - mask.length);
      this.#learn(credentials);
      if (/^basic /i.test(shown)) this.#learn(passwordOf(credentials));
    }
    for (const [name, value] of new URLSearchParams(target.split('?').slice(1).join('?'))) {
      if (isSecretField(name)) this.#learn(value);
    }
  }

  /** Path and query, or a whole URL. */
  target(target: string): string {
    return this.#scrub(maskTarget(target));
  }

  header(name: string, value: string): string {
    return this.#scrub(name === 'location' ? maskTarget(value) : maskHeader(name, value));
  }

  /** A body. @param asked it is of a request, not of an answer. */
  text(contentType: string, text: string, asked: boolean): string {
    if (/\bx-www-form-urlencoded\b/i.test(contentType)) {
      for (const [name, value] of new URLSearchParams(text)) {
        if (isSecretField(name)) this.#learn(value);
      }
      return this.#scrub(maskPairs(text));
    }
    if (/\bjson\b/i.test(contentType)) return this.#json(text, asked);
    if (/\bxml\b/i.test(contentType)) {
      return this.#scrub(
        text.replace(/<([\w.-]+)>([^<]*)<\//g, (whole: string, name: string) =>
          isSecretField(name) ? `<${name}>${mask}</` : whole,
        ),
      );
    }
    return this.#scrub(text);
  }

  #json(text: string, asked: boolean): string {
    const secret = (name: string) => isSecretField(name) && (asked || !onlyAsked.test(name));
    // All are learned first: a secret may stand in the text before the name that tells it.
    for (const [, name = '', , value] of text.matchAll(jsonString)) {
      if (value !== undefined && secret(unquoted(name))) this.#learn(unquoted(value));
    }
    return text.replace(
      jsonString,
      (whole: string, first: string, colon: string | undefined, value: string | undefined) => {
        if (colon === undefined) return this.#value(first);
        if (value === undefined) return whole;
        const shown = secret(unquoted(first)) && value !== '""' ? `"${mask}"` : this.#value(value);
        return first + colon + shown;
      },
    );
  }

  #value(quoted: string): string {
    return quoted.includes('PRIVATE KEY') ? `"${mask}"` : this.#scrub(quoted);
  }

  #learn(secret: string): void {
    if (secret.length < leastLearned || secret === mask || this.#learned.has(secret)) return;
    this.#learned.add(secret);
    this.#pattern = undefined;
  }

  #scrub(text: string): string {
    if (this.#learned.size === 0) return text;
    this.#pattern ??= patternOf(this.#learned);
    return text.replace(this.#pattern, mask);
  }
}

/** The password in the credentials of `Basic`. */
function passwordOf(credentials: string): string {
  const text = Buffer.from(credentials, 'base64').toString();
  return text.slice(text.indexOf(':') + 1);
}

function patternOf(secrets: ReadonlySet<string>): RegExp {
  const forms = [...secrets].flatMap((secret) => [
    secret,
    JSON.stringify(secret).slice(1, -1),
    new URLSearchParams([['', secret]]).toString().slice(1),
    secret.isWellFormed() ? encodeURIComponent(secret) : secret,
  ]);
  const longestFirst = [...new Set(forms)].sort((a, b) => b.length - a.length);
  const either = longestFirst.map((form) => form.replace(/[^\w]/g, '\\$&')).join('|');
  return new RegExp(`(?<![A-Za-z0-9])(?:${either})(?![A-Za-z0-9])`, 'g');
}

function unquoted(quoted: string): string {
  try {
    return String(JSON.parse(quoted));
  } catch {
    return quoted.slice(1, -1); // no JSON after all: as it stands
  }
}
