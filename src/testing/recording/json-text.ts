import { closingQuote, valueEnd } from './text-spans.js';

/** Name, string, number or literal in JSON text. */
export interface JsonToken {
  readonly kind: 'name' | 'string' | 'scalar';
  /** Start and end of the token without its quotes. */
  readonly start: number;
  readonly end: number;
  /** Whether the token belongs to a member with a secret name, at any depth. */
  readonly isSecret: boolean;
}

/**
 * Yields the names and values in JSON text. Tolerates malformed text and takes linear time. Uses no
 * regular expression for strings, because long strings would overflow the stack.
 */
export function* readJson(
  text: string,
  isSecretName: (name: string) => boolean,
): Iterable<JsonToken> {
  /** Whether each open object or array is secret. */
  const containers: boolean[] = [];
  let isNextSecret = false;
  for (let at = 0; at < text.length; ) {
    const isWithinSecret = containers.at(-1) ?? false;
    const character = text.charAt(at);
    let next = at + 1;
    if (character === '"') {
      const [start, end] = [next, closingQuote(text, next, '"')];
      next = end + 1;
      if (text.charAt(valueEnd(text, next, /\s*/y)) === ':') {
        isNextSecret = isSecretName(parseString(text.slice(start, end)));
        yield { kind: 'name', start, end, isSecret: isWithinSecret };
      } else {
        yield { kind: 'string', start, end, isSecret: isNextSecret || isWithinSecret };
        isNextSecret = false;
      }
    } else if (character === '{' || character === '[') {
      containers.push(isNextSecret || isWithinSecret);
      isNextSecret = false;
    } else if (character === '}' || character === ']') {
      containers.pop();
    } else {
      const end = valueEnd(text, at, /[^\s"{}[\],:]+/y);
      if (end > at) {
        yield { kind: 'scalar', start: at, end, isSecret: isNextSecret || isWithinSecret };
        isNextSecret = false;
        next = end;
      }
    }
    at = next;
  }
}

/**
 * Decodes the text between a JSON string's quotes. Returns the text unchanged if an escape is
 * invalid.
 */
export function parseString(content: string): string {
  try {
    return String(JSON.parse(`"${content}"`));
  } catch {
    return content;
  }
}
