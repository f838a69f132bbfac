import { getMember } from './unknown-values.js';

/**
 * A schema that implements Standard Schema version 1 (https://standardschema.dev), such as a schema
 * from zod 3.24 or later, valibot or arktype, or a triforge `Model`.
 */
export interface StandardSchema<Output = unknown> {
  /** Properties of the Standard Schema interface. */
  readonly '~standard': {
    /** Version of the interface. Always 1. */
    readonly version: 1;
    /** Name of the library that created the schema. */
    readonly vendor: string;
    /** Validates a value. */
    readonly validate: (
      value: unknown,
    ) => StandardResult<Output> | PromiseLike<StandardResult<Output>>;
    /** Types of the input and output, for the compiler. Undefined at run time. */
    readonly types?: { readonly input: unknown; readonly output: Output } | undefined;
  };
}

export function createSchema<Output>(
  validate: StandardSchema<Output>['~standard']['validate'],
): StandardSchema<Output> {
  return { '~standard': { version: 1, vendor: 'triforge', validate } };
}

/** Result of a Standard Schema's `validate`. Contains a value or issues. */
export type StandardResult<Output> =
  | { readonly value: Output; readonly issues?: undefined }
  | { readonly issues: readonly StandardIssue[] };

/** A reason why a value doesn't match its schema. */
export interface StandardIssue {
  /** Description of the issue. */
  readonly message: string;
  /** Keys that lead to the invalid value. */
  readonly path?: ReadonlyArray<PropertyKey | { readonly key: PropertyKey }> | undefined;
}

/** Issue to report if a schema rejects a value without a reason. */
export const withoutReason: StandardIssue = { message: 'the schema reported no reason', path: [] };

/** Maximum number of issues to collect and report. An invalid response may have millions. */
export const maxIssues = 20;

/** Returns whether a value is a Standard Schema. Some libraries' schemas are functions. */
export function isStandardSchema(value: unknown): value is StandardSchema {
  const standard: unknown =
    typeof value === 'function' ? Reflect.get(value, '~standard') : getMember(value, '~standard');
  return typeof getMember(standard, 'validate') === 'function';
}

export function itemsSchema<T>(schema: StandardSchema<T> | undefined): StandardSchema<T[]> {
  return createSchema(async (value) => {
    if (!Array.isArray(value)) return { issues: [{ message: 'expected an array', path: [] }] };
    // `as`: without a schema, T is unknown.
    if (!schema) return { value: value as T[] };
    const items: T[] = [];
    const issues: StandardIssue[] = [];
    for (const [index, item] of value.entries()) {
      if (issues.length >= maxIssues) break;
      const result = await schema['~standard'].validate(item);
      if (!result.issues) {
        items.push(result.value);
        continue;
      }
      for (const issue of result.issues.length > 0 ? result.issues : [withoutReason]) {
        issues.push({ ...issue, path: [index, ...(issue.path ?? [])] });
      }
    }
    return issues.length > 0 ? { issues } : { value: items };
  });
}

/** Formats the first issues as one line, each with its path. */
export function showIssues(issues: readonly StandardIssue[]): string {
  const shown = issues.slice(0, 5).map((issue) => `${showPath(issue.path)}: ${issue.message}`);
  const more = issues.length > shown.length ? ` (+${issues.length - shown.length} more)` : '';
  return shown.join('; ') + more;
}

function showPath(path: StandardIssue['path']): string {
  if (!path || path.length === 0) return '(the response)';
  return path
    .map((part) => (typeof part === 'object' ? part.key : part))
    .map((key, index) =>
      typeof key === 'number' ? `[${key}]` : `${index === 0 ? '' : '.'}${String(key)}`,
    )
    .join('');
}
