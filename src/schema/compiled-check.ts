import * as z from 'zod/mini';

/** Whether a value fits a schema. */
export type Check = (value: unknown) => boolean;

type Schema = z.core.$ZodType;
type Definition = z.core.$ZodTypes['_zod']['def'];

const checks = new WeakMap<Schema, Check>();

/**
 * A function that says whether zod would take a value that came out of `JSON.parse`. Every object,
 * array and record gets a function of its own, made once: zod's own compiler writes one function for
 * a whole model, which is too long for the engine to optimize while it matters, with a closure for
 * each optional field (measured: a third of its time on nested pages). What is not known here is left
 * to zod.
 */
export function compileCheck(schema: Schema): Check {
  let check = checks.get(schema);
  if (!check) {
    check = compiled(schema);
    checks.set(schema, check);
  }
  return check;
}

function compiled(schema: Schema): Check {
  const writer = new Writer();
  const body = writer.body(schema);
  if (body === undefined) return byZod(schema);
  try {
    const names = writer.others.map((_each, index) => `c${index}`);
    const make: unknown = new Function(...names, `return (v) => {\n${body}\nreturn true;\n}`);
    // `as`: the text above is a function of the other checks that returns a check.
    return (make as (...others: Check[]) => Check)(...writer.others);
  } catch {
    // A process may forbid code from strings.
    return byZod(schema);
  }
}

function byZod(schema: Schema): Check {
  return (value) => z.safeParse(schema, value).success;
}

/** Writes the function of one object or array; what is nested within it are other functions. */
class Writer {
  readonly others: Check[] = [];

  /** Statements that return false where `v` does not fit; undefined for a schema left to zod. */
  body(schema: Schema): string | undefined {
    const def = definition(schema);
    if (!isPlain(def)) return undefined;
    if (def.type === 'array') {
      return `if (!Array.isArray(v)) return false;
for (let i = 0; i < v.length; i++) { const f = v[i]; if (!(${this.condition(def.element)})) return false; }`;
    }
    if (def.type === 'record') {
      if (!isText(def.keyType)) return undefined;
      return `if (typeof v !== 'object' || v === null || Array.isArray(v)) return false;
for (const key in v) { const f = v[key]; if (!(${this.condition(def.valueType)})) return false; }`;
    }
    if (def.type !== 'object' || !isOpen(def.catchall)) return undefined;
    const lines = Object.entries(def.shape).map(([key, field]) => {
      const name = JSON.stringify(key);
      // Fields that may be anything must be there all the same.
      const there = definition(field).type === 'unknown' ? ` || !(${name} in v)` : '';
      return `f = v[${name}]; if (!(${this.condition(field)})${there}) return false;`;
    });
    return `if (typeof v !== 'object' || v === null || Array.isArray(v)) return false;
let f;
${lines.join('\n')}`;
  }

  /** An expression that is true where `f` fits. */
  condition(schema: Schema): string {
    const def = definition(schema);
    const inline = isPlain(def) ? this.#inline(def) : undefined;
    if (inline !== undefined) return inline;
    this.others.push(compileCheck(schema));
    return `c${this.others.length - 1}(f)`;
  }

  /** The same for what is short enough to stand in the function itself; undefined for all else. */
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

/** Without checks beside those of its type. */
function isPlain(def: Definition): boolean {
  return !def.checks || def.checks.length === 0;
}

/** Any string. */
function isText(schema: Schema): boolean {
  const def = definition(schema);
  return def.type === 'string' && !('format' in def) && isPlain(def);
}

/** Attributes that are not declared may be anything. */
export function isOpen(catchall: Schema | undefined): boolean {
  return !catchall || definition(catchall).type === 'unknown';
}

function isJson(value: unknown): boolean {
  return value === null || ['string', 'number', 'boolean'].includes(typeof value);
}

/** `as`: zod's union of all its schemas, by which `type` tells what a definition holds. */
export function definition(schema: Schema): Definition {
  return (schema as z.core.$ZodTypes)._zod.def;
}
