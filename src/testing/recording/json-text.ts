/** Kind of a piece of JSON text: the name of a member, a string, or a number or literal. */
export type JsonPart = 'name' | 'string' | 'scalar';

/**
 * Rewrites the names and values in JSON text and keeps everything else, including spaces. Tolerates
 * malformed text and takes linear time. Uses no regular expression for strings, because long strings
 * would overflow the stack.
 * @param isSecretName whether a member with this name, and everything in it, is secret.
 * @param rewrite receives each part as written, with quotes and escapes.
 */
export function rewriteJson(
  text: string,
  isSecretName: (name: string) => boolean,
  rewrite: (part: JsonPart, raw: string, isSecret: boolean) => string,
): string {
  const pieces: string[] = [];
  /** Whether each open object or array is secret. */
  const containers: boolean[] = [];
  let isNextSecret = false;
  let done = 0;
  const replace = (part: JsonPart, start: number, end: number, isSecret: boolean) => {
    const raw = text.slice(start, end);
    const rewritten = rewrite(part, raw, isSecret);
    if (rewritten === raw) return;
    pieces.push(text.slice(done, start), rewritten);
    done = end;
  };
  for (let at = 0; at < text.length; ) {
    const character = text.charAt(at);
    const isWithinSecret = containers.at(-1) ?? false;
    if (character === '"') {
      const end = stringEnd(text, at);
      if (text.charAt(skipSpaces(text, end)) === ':') {
        isNextSecret = isSecretName(parseString(text.slice(at, end)));
        replace('name', at, end, isWithinSecret);
      } else {
        replace('string', at, end, isNextSecret || isWithinSecret);
        isNextSecret = false;
      }
      at = end;
    } else if (character === '{' || character === '[') {
      containers.push(isNextSecret || isWithinSecret);
      isNextSecret = false;
      at++;
    } else if (character === '}' || character === ']') {
      containers.pop();
      at++;
    } else if (isScalar(character)) {
      const end = scalarEnd(text, at);
      replace('scalar', at, end, isNextSecret || isWithinSecret);
      isNextSecret = false;
      at = end;
    } else {
      at++;
    }
  }
  pieces.push(text.slice(done));
  return pieces.join('');
}

/** Removes the whitespace between the tokens of JSON text. */
export function compactJson(text: string): string {
  const pieces: string[] = [];
  for (let at = 0; at < text.length; ) {
    if (text.charAt(at) === '"') {
      const end = stringEnd(text, at);
      pieces.push(text.slice(at, end));
      at = end;
    } else {
      const quote = text.indexOf('"', at);
      const end = quote < 0 ? text.length : quote;
      pieces.push(text.slice(at, end).replace(/\s+/g, ''));
      at = end;
    }
  }
  return pieces.join('');
}

/** Parses a JSON string. Returns its raw content if an escape is invalid. */
export function parseString(raw: string): string {
  try {
    return String(JSON.parse(raw));
  } catch {
    return raw.replace(/^"|"$/g, '');
  }
}

/** Returns the position after a string's closing quote, or the end of the text if there is none. */
function stringEnd(text: string, start: number): number {
  for (let at = start + 1; ; ) {
    const quote = text.indexOf('"', at);
    if (quote < 0) return text.length;
    let slashes = 0;
    while (text.charAt(quote - 1 - slashes) === '\\') slashes++;
    if (slashes % 2 === 0) return quote + 1;
    at = quote + 1;
  }
}

function skipSpaces(text: string, start: number): number {
  let at = start;
  while (/\s/.test(text.charAt(at))) at++;
  return at;
}

function isScalar(character: string): boolean {
  return !/[\s"{}[\],:]/.test(character);
}

function scalarEnd(text: string, start: number): number {
  let at = start;
  while (at < text.length && isScalar(text.charAt(at))) at++;
  return at;
}
