import { parse } from 'uri-template';
import { InvalidRequestError } from '../errors.js';

/** A scalar of a URI template; null and undefined count as undefined. */
export type TemplateScalar = string | number | boolean | null | undefined;

/** A value of a URI template (RFC 6570 section 2.3): a scalar, a list of them, or name and value pairs. */
export type TemplateValue =
  | TemplateScalar
  | readonly TemplateScalar[]
  | Readonly<Record<string, TemplateScalar>>;

/** One variable of a template. */
export interface TemplateVariable {
  readonly name: string;
  /** As `/` in `{/path*}`; empty for a simple expression. */
  readonly operator: string;
  readonly exploded: boolean;
}

/** A template that was parsed once. */
export interface CompiledTemplate {
  readonly template: string;
  readonly variables: readonly TemplateVariable[];
  /** @throws {InvalidRequestError} a value that can't stand in a URL, by the variable's name. */
  expand(values: Readonly<Record<string, unknown>>): string;
}

/** What an operator does (RFC 6570 appendix A). */
interface Style {
  readonly first: string;
  readonly separator: string;
  readonly named: boolean;
  /** What stands for an empty value of a named variable. */
  readonly ifEmpty: string;
  /** Reserved characters and percent-encoded triplets stay. */
  readonly reserved: boolean;
}

const simple: Style = { first: '', separator: ',', named: false, ifEmpty: '', reserved: false };

const styles: Readonly<Record<string, Style>> = {
  '': simple,
  '+': { ...simple, reserved: true },
  '#': { ...simple, first: '#', reserved: true },
  '.': { ...simple, first: '.', separator: '.' },
  '/': { ...simple, first: '/', separator: '/' },
  ';': { ...simple, first: ';', separator: ';', named: true },
  '?': { first: '?', separator: '&', named: true, ifEmpty: '=', reserved: false },
  '&': { first: '&', separator: '&', named: true, ifEmpty: '=', reserved: false },
};

interface Variable extends TemplateVariable {
  /** Of a `{name:3}`. */
  readonly prefix: number | undefined;
}

type Part = string | { readonly style: Style; readonly variables: readonly Variable[] };

/** Templates come from endpoints and from servers: the cache of the latter is bounded. */
const cache = new Map<string, CompiledTemplate>();
const cacheSize = 500;

/** Parses a URI template, once. @throws {InvalidRequestError} a template that is malformed. */
export function compileTemplate(template: string): CompiledTemplate {
  const known = cache.get(template);
  if (known) return known;
  const parts = parseTemplate(template);
  const compiled: CompiledTemplate = {
    template,
    variables: parts.flatMap((part) => (typeof part === 'string' ? [] : part.variables)),
    expand: (values) => {
      let url = '';
      for (const part of parts) url += typeof part === 'string' ? part : expandPart(part, values);
      return url;
    },
  };
  if (cache.size >= cacheSize) cache.clear();
  cache.set(template, compiled);
  return compiled;
}

/**
 * Expands a URI template (RFC 6570, all four levels).
 * @throws {InvalidRequestError} a template that is malformed, or a value that can't stand in a URL.
 */
export function expandUrl(
  template: string,
  values: Readonly<Record<string, TemplateValue>>,
): string {
  return compileTemplate(template).expand(values);
}

function parseTemplate(template: string): Part[] {
  if (typeof template !== 'string') {
    throw new InvalidRequestError('template: expected a URI template', 'template');
  }
  try {
    return parse(template).ast.parts.map((part): Part => {
      if (part.type === 'literal') return literal(part.value);
      const style = styles[part.operator] ?? simple;
      const variables = part.variables.map(({ name, modifier }) => ({
        name,
        operator: part.operator,
        exploded: modifier?.type === 'explode',
        prefix: modifier?.type === 'substr' ? modifier.length : undefined,
      }));
      return { style, variables };
    });
  } catch (cause) {
    throw new InvalidRequestError('template: it is no URI template (RFC 6570)', 'template', {
      cause,
    });
  }
}

/** The parser lets a brace without its other half pass. */
function literal(text: string): string {
  if (/[{}]/.test(text)) throw new Error('a brace without its other half');
  return encodeReserved(text);
}

function expandPart(
  part: Exclude<Part, string>,
  values: Readonly<Record<string, unknown>>,
): string {
  const { style } = part;
  const pieces: string[] = [];
  for (const variable of part.variables) {
    // Own properties only: {constructor} is a name like any other.
    const value = Object.hasOwn(values, variable.name) ? values[variable.name] : undefined;
    const piece = expandVariable(variable, value, style);
    if (piece !== undefined) pieces.push(piece);
  }
  return pieces.length === 0 ? '' : style.first + pieces.join(style.separator);
}

/** One variable; undefined where it has no value. */
function expandVariable(variable: Variable, value: unknown, style: Style): string | undefined {
  if (value === undefined || value === null) return undefined;
  if (typeof value !== 'object') return expandScalar(variable, value, style);
  if (variable.prefix !== undefined) {
    throw refuse(
      variable,
      'a prefix of a list or of pairs is not defined (RFC 6570 section 2.4.1)',
    );
  }
  const pairs = pairsOf(variable, value, style);
  if (pairs.length === 0) return undefined;
  if (variable.exploded) {
    return pairs
      .map(([key, text]) => {
        const name = key ?? (style.named ? encodeName(variable) : undefined);
        if (name === undefined) return text;
        return text === '' && style.named ? name + style.ifEmpty : `${name}=${text}`;
      })
      .join(style.separator);
  }
  const joined = pairs
    .map(([key, text]) => (key === undefined ? text : `${key},${text}`))
    .join(',');
  return style.named ? named(variable, joined, style) : joined;
}

function expandScalar(variable: Variable, value: unknown, style: Style): string {
  const whole = textOf(variable, value);
  const text =
    variable.prefix === undefined ? whole : [...whole].slice(0, variable.prefix).join('');
  const encoded = encode(text, style);
  return style.named ? named(variable, encoded, style) : encoded;
}

function named(variable: Variable, encoded: string, style: Style): string {
  const name = encodeName(variable);
  return encoded === '' ? name + style.ifEmpty : `${name}=${encoded}`;
}

function encodeName(variable: Variable): string {
  return encodeReserved(variable.name);
}

/** Members of a list (without a key) or of an object, encoded; undefined ones left out. */
function pairsOf(
  variable: Variable,
  value: object,
  style: Style,
): [key: string | undefined, text: string][] {
  const entries: [string | undefined, unknown][] = Array.isArray(value)
    ? value.map((each: unknown) => [undefined, each])
    : Object.entries(value).map(([key, each]) => [encode(key, style), each]);
  return entries
    .filter(([, each]) => each !== undefined && each !== null)
    .map(([key, each]) => [key, encode(textOf(variable, each), style)]);
}

function textOf(variable: Variable, value: unknown): string {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw refuse(variable, 'expected a finite number');
  }
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
    throw refuse(variable, 'expected a string, number or boolean, a list of them, or flat pairs');
  }
  const text = String(value);
  if (!text.isWellFormed()) throw refuse(variable, 'it holds half of a surrogate pair');
  return text;
}

function encode(text: string, style: Style): string {
  return style.reserved ? encodeReserved(text) : encodeUnreserved(text);
}

/** Everything but unreserved characters (RFC 3986 section 2.3). */
function encodeUnreserved(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Reserved characters and percent-encoded triplets stay as they are. */
function encodeReserved(text: string): string {
  return text
    .split(/(%[0-9A-Fa-f]{2})/)
    .map((piece, index) =>
      index % 2 === 1 ? piece : encodeURI(piece).replace(/%5B/g, '[').replace(/%5D/g, ']'),
    )
    .join('');
}

function refuse(variable: Variable, why: string): InvalidRequestError {
  return new InvalidRequestError(`${variable.name}: ${why}`, variable.name);
}
