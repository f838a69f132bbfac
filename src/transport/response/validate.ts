import { fits, isModel, issuesOf } from '../../schema/model.js';
import type { StandardIssue, StandardSchema } from '../../schema/standard-schema.js';
import { showText } from '../http/redact.js';

/** `strict` (default): an answer that does not fit raises `ResponseShapeError`; `warn`: it is reported by `diagnostics_channel` and returned; `off`: unchecked. */
export type ValidationMode = 'strict' | 'warn' | 'off';

/** A value that fits (or is let pass), or the issues it has. */
export type Verdict =
  | { readonly ok: true; readonly value: unknown; readonly drift?: readonly StandardIssue[] }
  | { readonly ok: false; readonly issues: readonly StandardIssue[] };

/**
 * Holds a value against a schema. A {@link Model} gives the very value back; a caller's own schema
 * gives its output. `warn` lets pass with the drift to be reported.
 */
export function validate(
  schema: StandardSchema,
  value: unknown,
  mode: ValidationMode,
): Verdict | Promise<Verdict> {
  if (mode === 'off') return { ok: true, value };
  if (!isModel(schema)) return validateForeign(schema, value, mode);
  if (fits(schema, value)) return { ok: true, value };
  return judged(issuesOf(schema, value) ?? [], value, mode);
}

async function validateForeign(
  schema: StandardSchema,
  value: unknown,
  mode: ValidationMode,
): Promise<Verdict> {
  const result = await schema['~standard'].validate(value);
  return result.issues ? judged(result.issues, value, mode) : { ok: true, value: result.value };
}

function judged(issues: readonly StandardIssue[], value: unknown, mode: ValidationMode): Verdict {
  return mode === 'warn' ? { ok: true, value, drift: issues } : { ok: false, issues };
}

/** More than these say nothing new. */
const mostIssues = 20;

/** Issues fit to be shown: their texts and names may be the server's own. */
export function printable(
  issues: readonly StandardIssue[],
  secrets: readonly string[],
): StandardIssue[] {
  const shown = (key: PropertyKey) => (typeof key === 'string' ? showText(key, secrets, 100) : key);
  return issues.slice(0, mostIssues).map(({ message, path = [] }) => ({
    message: showText(message, secrets),
    path: path
      .slice(0, mostIssues)
      .map((part) => (typeof part === 'object' ? { key: shown(part.key) } : shown(part))),
  }));
}

/** Issues as one line: each with its path, the first few of them. */
export function showIssues(issues: readonly StandardIssue[]): string {
  const shown = issues.slice(0, 5).map((issue) => `${showPath(issue.path)}: ${issue.message}`);
  const more = issues.length > shown.length ? ` (+${issues.length - shown.length} more)` : '';
  return shown.join('; ') + more;
}

function showPath(path: StandardIssue['path']): string {
  if (!path || path.length === 0) return '(the answer itself)';
  return path
    .map((part) => (typeof part === 'object' ? part.key : part))
    .map((key, index) =>
      typeof key === 'number' ? `[${key}]` : `${index === 0 ? '' : '.'}${String(key)}`,
    )
    .join('');
}
