import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';
import { compileCheck, definition, isOpen } from './compiled-check.js';
import type { ZodSchema } from './fields.js';
import { maxIssues, type StandardIssue } from './standard-schema.js';
import { isRecord } from './unknown-values.js';

type Path = readonly PropertyKey[];

let english: z.core.$ZodErrorMap | undefined;

/**
 * Options that make zod report English messages, regardless of its configured locale. The messages
 * are loaded on first use.
 */
export const inEnglish: { readonly error: z.core.$ZodErrorMap } = {
  error: (issue) => {
    english ??= en().localeError;
    return english(issue);
  },
};

/**
 * Returns the first issues of a value that doesn't match its schema. Descends only into parts that
 * don't match and stops at `maxIssues`. zod would collect every issue in the response.
 */
export function issuesIn(schema: ZodSchema, value: unknown): StandardIssue[] {
  const found: StandardIssue[] = [];
  collect(schema, value, [], found);
  return found;
}

function collect(schema: ZodSchema, value: unknown, path: Path, found: StandardIssue[]): void {
  if (found.length >= maxIssues) return;
  const def = definition(schema);
  switch (def.type) {
    case 'optional':
      if (value !== undefined) collect(def.innerType, value, path, found);
      return;
    case 'nullable':
      if (value !== null) collect(def.innerType, value, path, found);
      return;
    case 'array':
    case 'object':
    case 'record':
    case 'union':
      if (compileCheck(schema)(value)) return;
      break;
  }
  const before = found.length;
  if (def.type === 'union') {
    const options =
      'discriminator' in def ? meant(def.options, String(def.discriminator), value) : def.options;
    found.push(...nearest(options, value, path).slice(0, maxIssues - before));
  } else if (def.type === 'array' && Array.isArray(value)) {
    for (let index = 0; index < value.length; index++) {
      collect(def.element, value[index], [...path, index], found);
    }
  } else if (isRecord(value) && def.type === 'record') {
    for (const key in value) {
      collect(def.valueType, value[key], [...path, key], found);
    }
  } else if (isRecord(value) && def.type === 'object') {
    for (const key of Object.keys(def.shape)) {
      const field = def.shape[key];
      if (field) collect(field, value[key], [...path, key], found);
    }
    if (!isOpen(def.catchall)) reportUnknownKey(def.shape, value, path, found);
  }
  if (found.length === before) collectIssues(schema, value, path, found);
}

/** Returns the union branches whose discriminator field matches the value. */
function meant(options: readonly ZodSchema[], key: string, value: unknown): readonly ZodSchema[] {
  if (!isRecord(value)) return [];
  return options.filter((option) => {
    const def = definition(option);
    const field = def.type === 'object' ? def.shape[key] : undefined;
    return !field || z.safeParse(field, value[key]).success;
  });
}

/**
 * Returns the issues of the best-matching union branch, which is the branch with the deepest issue.
 */
function nearest(options: readonly ZodSchema[], value: unknown, path: Path): StandardIssue[] {
  let best: StandardIssue[] = [];
  let depth = -1;
  for (const option of options) {
    const issues: StandardIssue[] = [];
    collect(option, value, path, issues);
    const reached = issues.reduce((most, each) => Math.max(most, each.path?.length ?? 0), 0);
    if (reached > depth) [best, depth] = [issues, reached];
  }
  return best;
}

function reportUnknownKey(
  shape: Readonly<Record<string, unknown>>,
  value: Readonly<Record<string, unknown>>,
  path: Path,
  found: StandardIssue[],
): void {
  for (const key in value) {
    if (Object.hasOwn(shape, key)) continue;
    found.push({ message: 'Unrecognized key', path: [...path, key] });
    return;
  }
}

function collectIssues(
  schema: ZodSchema,
  value: unknown,
  path: Path,
  found: StandardIssue[],
): void {
  const result = z.safeParse(schema, value, inEnglish);
  if (result.success) return;
  for (const issue of result.error.issues.slice(0, maxIssues - found.length)) {
    found.push({ message: issue.message, path: [...path, ...issue.path] });
  }
}
