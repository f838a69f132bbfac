import {
  createSchema,
  maxIssues,
  type StandardIssue,
  type StandardSchema,
  withoutReason,
} from './standard-schema.js';

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
