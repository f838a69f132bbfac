import * as z from 'zod/mini';
import { maxIssues, type StandardIssue } from './standard-schema.js';
import { describeKind, isRecord, joinAlternatives } from './unknown-values.js';

export type ZodSchema = z.core.$ZodType;

/** Function that returns whether a value matches a schema. */
export type Check = (value: unknown) => boolean;

type Definition = z.core.$ZodTypes['_zod']['def'];

const checks = new WeakMap<ZodSchema, Check>();

/**
 * Compiles a function that checks whether zod would accept a value returned by `JSON.parse`. Each
 * object, array and record gets a separate function. zod's own compiler creates one function per
 * model, which the engine can't optimize early because of its length. zod's compiler also creates a
 * closure per optional field. For pages of nested objects, these closures take a third of the
 * validation time (measured). zod itself checks schemas that this file doesn't cover.
 */
export function compileCheck(schema: ZodSchema): Check {
  let check = checks.get(schema);
  if (!check) {
    check = compiled(schema);
    checks.set(schema, check);
  }
  return check;
}

function compiled(schema: ZodSchema): Check {
  const writer = new Writer();
  const body = writer.body(schema);
  if (body === undefined) return byZod(schema);
  try {
    const names = writer.others.map((_each, index) => `c${index}`);
    const make: unknown = new Function(...names, `return (v) => {\n${body}\nreturn true;\n}`);
    // `as`: the source text creates a function that takes the other checks and returns a check.
    return (make as (...others: Check[]) => Check)(...writer.others);
  } catch {
    // The process may disallow code generation from strings.
    return byZod(schema);
  }
}

function byZod(schema: ZodSchema): Check {
  return (value) => z.safeParse(schema, value).success;
}

/**
 * Generates the function for one object or array. Nested objects and arrays get separate functions.
 */
class Writer {
  readonly others: Check[] = [];

  /**
   * Generates statements that return false if `v` doesn't match the schema. Returns undefined for a
   * schema that zod must check.
   */
  body(schema: ZodSchema): string | undefined {
    const def = definition(schema);
    if (!isPlain(def)) return undefined;
    if (def.type === 'array') {
      return `if (!Array.isArray(v)) return false;
for (let i = 0; i < v.length; i++) { const f = v[i]; if (!(${this.condition(def.element)})) return false; }`;
    }
    if (def.type === 'record') {
      if (!isStringSchema(def.keyType)) return undefined;
      return `if (typeof v !== 'object' || v === null || Array.isArray(v)) return false;
for (const key in v) { const f = v[key]; if (!(${this.condition(def.valueType)})) return false; }`;
    }
    if (def.type !== 'object' || !isOpen(def.catchall)) return undefined;
    const lines = Object.entries(def.shape).map(([key, field]) => {
      const name = JSON.stringify(key);
      // A required field of type `unknown` must exist, even if its value is undefined.
      const there = definition(field).type === 'unknown' ? ` || !(${name} in v)` : '';
      return `f = v[${name}]; if (!(${this.condition(field)})${there}) return false;`;
    });
    return `if (typeof v !== 'object' || v === null || Array.isArray(v)) return false;
let f;
${lines.join('\n')}`;
  }

  /** Generates an expression that is true if `f` matches the schema. */
  condition(schema: ZodSchema): string {
    const def = definition(schema);
    const inline = isPlain(def) ? this.#inline(def) : undefined;
    if (inline !== undefined) return inline;
    this.others.push(compileCheck(schema));
    return `c${this.others.length - 1}(f)`;
  }

  /**
   * Generates an expression that is short enough to inline. Returns undefined for schemas that need
   * a separate function.
   */
  #inline(def: Definition): string | undefined {
    switch (def.type) {
      case 'optional':
        return `f === undefined || ${this.condition(def.innerType)}`;
      case 'nullable':
        return `f === null || ${this.condition(def.innerType)}`;
      case 'union':
        return `(${def.options.map((option) => this.condition(option)).join(' || ')})`;
      case 'unknown':
        return 'true';
      case 'null':
        return 'f === null';
      case 'boolean':
        return `typeof f === 'boolean'`;
      case 'string':
        return 'format' in def ? undefined : `typeof f === 'string'`;
      case 'number':
        if (!('format' in def)) return 'Number.isFinite(f)';
        return def.format === 'safeint' ? 'Number.isSafeInteger(f)' : undefined;
      case 'literal':
        if (!def.values.every(isJson)) return undefined;
        return `(${def.values.map((value) => `f === ${JSON.stringify(value)}`).join(' || ')})`;
      default:
        return undefined;
    }
  }
}

/** Returns whether a schema checks only the type. */
function isPlain(def: Definition): boolean {
  return !def.checks || def.checks.length === 0;
}

/** Returns whether a schema accepts any string. */
function isStringSchema(schema: ZodSchema): boolean {
  const def = definition(schema);
  return def.type === 'string' && !('format' in def) && isPlain(def);
}

/** Returns whether an object schema accepts undeclared attributes. */
function isOpen(catchall: ZodSchema | undefined): boolean {
  return !catchall || definition(catchall).type === 'unknown';
}

function isJson(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/**
 * Returns a schema's definition. `as`: `$ZodTypes` is the union of all zod schemas, distinguished
 * by `type`.
 */
export function definition(schema: ZodSchema): Definition {
  return (schema as z.core.$ZodTypes)._zod.def;
}

/**
 * Returns the first issues in a value that doesn't match its schema. Descends only into parts that
 * don't match and stops at `maxIssues`. zod would collect every issue in the response.
 */
export function issuesIn(schema: ZodSchema, value: unknown): StandardIssue[] {
  const found: StandardIssue[] = [];
  collect(schema, value, [], found);
  return found;
}

function collect(
  schema: ZodSchema,
  value: unknown,
  path: readonly PropertyKey[],
  found: StandardIssue[],
): void {
  const def = definition(schema);
  if (def.type === 'optional' || def.type === 'nullable') {
    if (value !== (def.type === 'optional' ? undefined : null)) {
      collect(def.innerType, value, path, found);
    }
    return;
  }
  if (found.length >= maxIssues || compileCheck(schema)(value)) return;
  const before = found.length;
  if (def.type === 'array' && Array.isArray(value)) {
    for (const [index, item] of value.entries())
      collect(def.element, item, [...path, index], found);
  } else if (def.type === 'record' && isRecord(value)) {
    for (const key in value) collect(def.valueType, value[key], [...path, key], found);
  } else if (def.type === 'object' && isRecord(value)) {
    for (const [key, field] of Object.entries(def.shape)) {
      collect(field, value[key], [...path, key], found);
    }
  }
  if (found.length > before) return;
  const issues = z.safeParse(schema, value, { error: explain }).error?.issues ?? [];
  found.push(...issues.flatMap((issue) => describe(issue, path)).slice(0, maxIssues - before));
}

/** Explains an issue. zod's own texts would make bundles larger. */
function explain(issue: z.core.$ZodRawIssue): string {
  const got = describeKind(issue.input);
  if (issue.code === 'invalid_type') return `expected ${issue.expected}, got ${got}`;
  if (issue.code !== 'invalid_value') return `invalid (got ${got})`;
  return `expected ${joinAlternatives(issue.values)}, got ${got}`;
}

/** Describes an issue. For a union, describes the issues of the branch that matches deepest. */
function describe(issue: z.core.$ZodIssue, parent: readonly PropertyKey[]): StandardIssue[] {
  const path = [...parent, ...issue.path];
  const branches = issue.code === 'invalid_union' ? issue.errors : [];
  let best: StandardIssue[] = [];
  let depth = -1;
  for (const branch of branches) {
    const issues = branch.flatMap((each) => describe(each, path));
    const reached = Math.max(...issues.map((each) => each.path?.length ?? 0));
    if (reached > depth) [best, depth] = [issues, reached];
  }
  return best.length > 0 ? best : [{ message: issue.message, path }];
}
