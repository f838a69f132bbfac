import type { parse } from 'uri-template';
// The package's main module also contains an expander, which triforge doesn't use.
import grammar from 'uri-template/dist/grammar.js';
import { InvalidRequestError } from '../../errors/index.js';
import { describeKind, formatGot } from '../../schema/unknown-values.js';
import { BoundedMap } from './bounded-map.js';
import { checkWellFormed, createInputError } from './input.js';

/** A scalar in a URI template. Null is treated as undefined. */
export type TemplateScalar = string | number | boolean | null | undefined;

/** A value in a URI template (RFC 6570 section 2.3): a scalar, an array, or name-value pairs. */
export type TemplateValue =
  | TemplateScalar
  | readonly TemplateScalar[]
  | Readonly<Record<string, TemplateScalar>>;

export interface TemplateVariable {
  readonly name: string;
  /** Operator, such as `/` in `{/path*}`. Empty for a simple expression. */
  readonly operator: string;
  readonly exploded: boolean;
  /** Maximum length, as in `{name:3}`. */
  readonly prefix: number | undefined;
}

/** Variables of one expression, such as `{/path*}`, and their formatting rules. */
export interface TemplateExpression {
  readonly style: Style;
  readonly variables: readonly TemplateVariable[];
}

export interface CompiledTemplate {
  /** Encoded literals and expressions, in order. */
  readonly parts: readonly (string | TemplateExpression)[];
  readonly variables: readonly TemplateVariable[];
  /**
   * Expands the template.
   * @throws {InvalidRequestError} if a URL can't contain a value. The message names the variable.
   */
  expand(values: Readonly<Record<string, unknown>>): string;
}

/** An operator's formatting rules (RFC 6570 appendix A). */
interface Style {
  readonly first: string;
  readonly separator: string;
  readonly named: boolean;
  /** Text after the name of a variable with an empty value. */
  readonly ifEmpty: string;
  /** Whether reserved characters and percent-encoded triplets stay unchanged. */
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

type ParsedPart = ReturnType<typeof parse>['ast']['parts'][number];
type ParsedVariable = Extract<ParsedPart, { type: 'expression' }>['variables'][number];

type TemplatePart = CompiledTemplate['parts'][number];

/** Parsed templates. Their number is limited, because servers also send templates. */
const cache = new BoundedMap<string, CompiledTemplate>(500);

/**
 * Parses a URI template, or returns it from the cache.
 * @param field name of the template in errors.
 * @throws {InvalidRequestError} if the template is malformed.
 */
export function compileTemplate(template: string, field = 'template'): CompiledTemplate {
  const known = cache.get(template);
  if (known) return known;
  const parts = parseTemplate(template, field);
  const compiled: CompiledTemplate = {
    parts,
    variables: parts.flatMap((part) => (typeof part === 'string' ? [] : part.variables)),
    expand: (values) => expandParts(parts, values),
  };
  cache.set(template, compiled);
  return compiled;
}

/**
 * Expands a URI template (RFC 6570, all four levels).
 * @throws {InvalidRequestError} if the template is malformed, or a URL can't contain a value.
 */
export function expandUrlTemplate(
  template: string,
  values: Readonly<Record<string, TemplateValue>>,
): string {
  return compileTemplate(template).expand(values);
}

function parseTemplate(template: string, field: string): TemplatePart[] {
  try {
    checkSyntax(typeof template === 'string' && template.isWellFormed());
    const { parts }: { readonly parts: readonly ParsedPart[] } = grammar.parse(template, {});
    return parts.map((part): TemplatePart => {
      if (part.type === 'literal') {
        // The parser accepts an unmatched closing brace, which RFC 6570 forbids.
        checkSyntax(!part.value.includes('}'));
        return encodeReserved(part.value);
      }
      const { operator } = part;
      return {
        style: styles[operator] ?? simple,
        variables: part.variables.map((each) => toVariable(each, operator)),
      };
    });
  } catch (cause) {
    const why = 'must be a valid URI template (RFC 6570)';
    throw new InvalidRequestError(`${field}: ${why}`, { field, cause });
  }
}

function checkSyntax(isValid: boolean): void {
  if (!isValid) throw new SyntaxError('invalid URI template');
}

/** Matches a `%` that doesn't start a triplet, and dots that don't separate names. */
const badName = /%(?![0-9A-Fa-f]{2})|^\.|\.\.|\.$/;

/**
 * Converts a parsed variable. Rejects names, lengths and suffixes that the parser accepts but the
 * RFC's grammar doesn't.
 */
function toVariable(parsed: ParsedVariable, operator: string): TemplateVariable {
  const { name, modifier, extension } = parsed;
  const prefix = modifier?.type === 'substr' ? modifier.length : undefined;
  const badPrefix = prefix !== undefined && (prefix < 1 || prefix > 9999);
  checkSyntax(!badName.test(name) && !badPrefix && (extension ?? '') === '');
  return { name, operator, exploded: modifier?.type === 'explode', prefix };
}

function expandParts(
  parts: readonly TemplatePart[],
  values: Readonly<Record<string, unknown>>,
): string {
  if (typeof values !== 'object' || values === null) {
    throw createInputError(
      'values',
      `must be an object that maps names to values (got ${describeKind(values)})`,
    );
  }
  let url = '';
  for (const part of parts) url += typeof part === 'string' ? part : expandPart(part, values);
  return url;
}

function expandPart(part: TemplateExpression, values: Readonly<Record<string, unknown>>): string {
  const { style } = part;
  let text = '';
  let lead = style.first;
  for (const variable of part.variables) {
    // Read only own properties so that {constructor} isn't read from the prototype.
    const value = Object.hasOwn(values, variable.name) ? values[variable.name] : undefined;
    const piece = expandVariable(variable, value, style);
    if (piece === undefined) continue;
    text += lead + piece;
    lead = style.separator;
  }
  return text;
}

/** Returns undefined if the variable has no value. */
function expandVariable(
  variable: TemplateVariable,
  value: unknown,
  style: Style,
): string | undefined {
  if (value === undefined || value === null) return undefined;
  const { name } = variable;
  const encode = (each: unknown) => encodeValue(variable, each, style);
  const withName = (text: string) => (style.named ? formatPair(name, text, style.ifEmpty) : text);
  if (typeof value !== 'object') return withName(encode(value));
  if (variable.prefix !== undefined) {
    const why = 'must be a single value, because the template uses a prefix modifier';
    throw createInputError(name, `${why} (got ${describeKind(value)})`);
  }
  const isArray = Array.isArray(value);
  // Without this check, dates and maps would be omitted silently, because they have no own
  // properties.
  if (!isArray && Object.prototype.toString.call(value) !== '[object Object]') {
    throw createKindError(name, value);
  }
  const members = Object.entries(value).filter(([, each]) => each !== undefined && each !== null);
  if (members.length === 0) return undefined;
  if (!variable.exploded) {
    const texts = members.flatMap(([key, each]) =>
      isArray ? [encode(each)] : [encode(key), encode(each)],
    );
    return withName(texts.join(','));
  }
  const ifEmpty = style.named ? style.ifEmpty : '=';
  return members
    .map(([key, each]) =>
      isArray ? withName(encode(each)) : formatPair(encode(key), encode(each), ifEmpty),
    )
    .join(style.separator);
}

function formatPair(name: string, text: string, ifEmpty: string): string {
  return text === '' ? name + ifEmpty : `${name}=${text}`;
}

/**
 * Matches text that contains only unreserved characters (RFC 3986 section 2.3), which need no
 * encoding.
 */
export const unreserved = /^[\w.~-]*$/;

function encodeValue({ name, prefix }: TemplateVariable, value: unknown, style: Style): string {
  if (typeof value === 'number' && !Number.isFinite(value)) {
    throw createInputError(name, `must be a finite number (got ${value})`);
  }
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
    throw createKindError(name, value);
  }
  const whole = String(value);
  checkWellFormed(name, whole);
  const text = prefix === undefined ? whole : [...whole].slice(0, prefix).join('');
  if (unreserved.test(text)) return text;
  return style.reserved ? encodeReserved(text) : encodeUnreserved(text);
}

/** Encodes every character that isn't unreserved. */
export function encodeUnreserved(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** Encodes text, except reserved characters and percent-encoded triplets. */
function encodeReserved(text: string): string {
  return text
    .split(/(%[0-9A-Fa-f]{2})/)
    .map((piece, index) =>
      index % 2 === 1 ? piece : encodeURI(piece).replace(/%5B/g, '[').replace(/%5D/g, ']'),
    )
    .join('');
}

function createKindError(name: string, value: unknown): InvalidRequestError {
  return createInputError(
    name,
    `must be a string, number or boolean, or an array or object of such values${formatGot(value, 'object')}`,
  );
}
