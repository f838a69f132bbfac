import * as z from 'zod/mini';
import { toDotPath } from 'zod/v4/core';
import { formatCount } from '../../schema/unknown-values.js';
import { count, dictionary, inEnglish, name, text, texts, time } from '../checks.js';
import { createCheck } from '../record.js';
import { caseKind, contactKind } from '../support/records.js';
import { hostingCheck } from './hosting-data.js';
import type { Dataset } from './world.js';

const Support = z.partial(
  z.strictObject({
    users: z.array(z.strictObject({ userName: name(), apiKey: name(), password: name() })),
    campaigns: z.array(name()),
    contacts: z.array(createCheck(contactKind)),
    cases: z.array(createCheck(caseKind)),
    sessions: z.array(z.strictObject({ token: name(), userName: name(), expires: z.number() })),
  }),
);

const Console = z.partial(
  z.strictObject({
    licenseMd5: text(),
    settings: dictionary(z.unknown()),
    maintenance: time(),
    standing: z.strictObject({
      status: text(),
      progress: z.array(z.looseObject({ key: text(), status: text() })),
    }),
    connections: dictionary(count()),
    keys: texts(),
  }),
);

const WorldSchema = z.partial(
  z.strictObject({
    now: time(),
    ahead: z.number(),
    hosting: hostingCheck,
    support: Support,
    console: Console,
  }),
);

/**
 * Maximum nesting depth of a world. Settings from requests have at most 100 levels, and much deeper
 * data would overflow the stack.
 */
const mostLevels = 110;

/** Returns the path of the first value that JSON and YAML can't represent, or that is nested too deeply. */
function findUnsupported(value: unknown, levels = mostLevels): PropertyKey[] | undefined {
  if (typeof value === 'string') return value.isWellFormed() ? undefined : [];
  if (typeof value === 'number') return Number.isFinite(value) ? undefined : [];
  if (typeof value === 'boolean' || value === undefined || value === null) return undefined;
  if (typeof value !== 'object' || levels === 0) return [];
  for (const [name, each] of Object.entries(value)) {
    const path = name.isWellFormed() ? findUnsupported(each, levels - 1) : [];
    if (path) return [Array.isArray(value) ? Number(name) : name, ...path];
  }
  return undefined;
}

/**
 * Validates a world from any source.
 * @param where prefix of the error messages.
 * @throws {Error} if a field is invalid. The message names the paths of up to 10 invalid fields.
 */
export function checkWorld(data: unknown, where: string): Dataset {
  const read = z.safeParse(WorldSchema, data, inEnglish);
  // Returns the input, because zod's copy of a record omits `__proto__`, which is a valid file name.
  // `as`: the schema matches the interfaces, but zod types optional members differently.
  if (read.success) {
    const path = findUnsupported(data);
    if (!path) return data as Dataset;
    throw new Error(
      `${where}: ${toDotPath(path)}: must be JSON data with at most ${mostLevels} levels of nesting`,
    );
  }
  const problems = read.error.issues.flatMap((issue) => {
    const { path, message } = issue;
    if (issue.code !== 'unrecognized_keys') return [{ path, message }];
    return issue.keys.map((key) => ({ path: [...path, key], message: 'unknown field' }));
  });
  const lines = problems.slice(0, 10).map(({ path, message }) => {
    return `${where}: ${toDotPath(path) || 'the top level'}: ${message}`;
  });
  const more = problems.length - lines.length;
  throw new Error(
    [...lines, ...(more > 0 ? [`${where}: ${formatCount(more, 'more problem')}`] : [])].join('\n'),
  );
}
