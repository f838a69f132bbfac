import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';
import { hasFourDigitYear } from './clock.js';

/** Options that make zod report English messages, regardless of its configured locale. */
export const inEnglish: { readonly error: z.core.$ZodErrorMap } = { error: en().localeError };

/** Creates a check that rejects lone surrogates, because files and URLs can't contain them. */
export const text = () =>
  z.string().check(z.refine((value) => value.isWellFormed(), 'must be well-formed Unicode'));
export const texts = () => z.array(text());
export const nullText = () => z.nullable(text());
export const name = () => text().check(z.minLength(1));
/** Creates a check for names that appear in response URLs and headers. */
export const slug = () =>
  z.string().check(z.regex(/^[\w.-]+$/, "must contain only letters, digits, '.', '-' and '_'"));
export const fullName = () =>
  z.string().check(z.regex(/^[\w.-]+\/[\w.-]+$/, 'must have the form owner/name'));
const printable = /^[\x20-\x7e]*$/;
export const headerText = () =>
  z
    .string()
    .check(z.regex(printable, 'must be printable ASCII, because the value is sent in a header'));
export const isHeaderText = (value: string) => printable.test(value);

/** Maximum ID and count. Leaves room for later IDs below the largest safe integer (2^53 - 1). */
export const highest = 2 ** 52;
export const id = () => z.int().check(z.minimum(1), z.maximum(highest));
export const count = () => z.int().check(z.minimum(0), z.maximum(highest));
export const nullCount = () => z.nullable(count());
export const flag = () => z.boolean();

const aTime = "must be a time such as '2014-06-01T12:00:00Z'";
export const time = () =>
  z.iso.datetime({ offset: true, error: aTime, abort: true }).check(
    // An offset can move a time to the year 10000 in UTC, which exports write in another format.
    z.refine(
      (value) => hasFourDigitYear(Date.parse(value)),
      `${aTime}, with a year from 0 to 9999 (UTC)`,
    ),
  );
export const nullTime = () => z.nullable(time());

/** Returns the path and the message of each problem that a schema finds. */
export function findProblems(schema: z.core.$ZodType, data: unknown) {
  const { issues = [] } = z.safeParse(schema, data, inEnglish).error ?? {};
  return issues.flatMap((issue) => {
    const { path, message } = issue;
    if (issue.code !== 'unrecognized_keys') return [{ path, message }];
    return issue.keys.map((key) => ({ path: [...path, key], message: 'unknown field' }));
  });
}

/** Number of problems to report, because describing every problem of a large world is slow. */
export const mostProblems = 10;

/** Creates a check for an array that stops after more than {@link mostProblems} problems. */
export const list = (item: z.core.$ZodType) =>
  z.array(z.unknown()).check(({ value, issues }) => {
    for (const [index, input] of value.entries()) {
      if (issues.length > mostProblems) return;
      for (const { path, message } of findProblems(item, input)) {
        issues.push({ code: 'custom', path: [index, ...path], message, input });
      }
    }
  });

export const permission = () => z.enum(['pull', 'push', 'admin']);
export const bytes = () => z.union([text(), z.strictObject({ base64: z.base64() })]);
export const file = () =>
  z.union(
    [
      text(),
      z.strictObject({ base64: z.base64() }),
      z.strictObject({ symlink: text() }),
      z.strictObject({ submodule: text(), hosted: z.optional(flag()) }),
    ],
    'must be a string, { base64 }, { symlink } or { submodule }',
  );

export const dictionary = <V>(value: z.core.$ZodType<V, V>, key = text()) => z.record(key, value);
