import * as z from 'zod/mini';
import { fields } from '../../schema/fields.js';
import { inEnglish } from '../../schema/issues.js';
import { hasFourDigitYear } from '../clock.js';
import type { Dataset } from './world.js';

/** Text without lone surrogates, which files and URLs can't contain. */
const text = () =>
  z.string().check(z.refine((value) => value.isWellFormed(), 'expected well-formed Unicode'));
const nullText = () => z.nullable(text());
const texts = () => z.array(text());
/** Maximum id and count: below the limit of exact integers, so that later ones are exact too. */
const highest = 2 ** 52;
const id = () => z.int().check(z.minimum(1), z.maximum(highest));
const count = () => z.int().check(z.minimum(0), z.maximum(highest));
const nullCount = () => z.nullable(count());
const flag = () => z.boolean();
const aTime = "expected a time such as '2014-06-01T12:00:00Z'";
const time = () =>
  z.iso.datetime({ offset: true, error: aTime }).check(
    // An offset can lead to the year 10000, for which the export would use another format.
    z.refine(
      (value) => hasFourDigitYear(Date.parse(value)),
      `${aTime}, of the years 0 to 9999 in UTC`,
    ),
  );
const nullTime = () => z.nullable(time());
const name = () => text().check(z.minLength(1));
/** A name that appears in URLs and headers of responses. */
const slug = () =>
  z.string().check(z.regex(/^[\w.-]+$/, "expected letters, digits, '.', '-' and '_'"));
const fullName = () => z.string().check(z.regex(/^[\w.-]+\/[\w.-]+$/, 'expected owner/name'));
const headerText = () =>
  z.string().check(z.regex(/^[\x20-\x7e]*$/, 'expected printable ASCII, as headers have'));
const permission = () => z.enum(['pull', 'push', 'admin']);
/** An object in which only the `required` members are required. */
function some<S extends z.core.$ZodLooseShape, R extends keyof S & string>(
  required: readonly R[],
  shape: S,
) {
  const needed = Object.fromEntries(required.map((name) => [name, shape[name]]));
  // `as`: the names and types come from the shape.
  return z.strictObject({ ...z.partial(z.strictObject(shape)).shape, ...(needed as Pick<S, R>) });
}

function list<S extends z.core.$ZodLooseShape, R extends keyof S & string>(
  required: readonly R[],
  shape: S,
) {
  return z.array(some(required, shape));
}

const Bytes = z.union([text(), z.strictObject({ base64: z.base64() })]);
const File = z.union(
  [
    text(),
    z.strictObject({ base64: z.base64() }),
    z.strictObject({ symlink: text() }),
    z.strictObject({ submodule: text(), hosted: z.optional(flag()) }),
  ],
  'expected a text, { base64 }, { symlink } or { submodule }',
);
const Side = z.strictObject({ ref: text(), sha: text(), login: text() });
const made = { id: id(), createdAt: time(), updatedAt: time() };

const Repository = some(['owner', 'name'], {
  ...fields(slug, 'owner name'),
  defaultBranch: name(),
  ...made,
  ...fields(nullText, 'description language'),
  isPrivate: flag(),
  forkOf: fullName(),
  files: z.record(text(), File),
  git: z.strictObject({
    objects: z.record(text(), File),
    commits: z.array(
      z.strictObject({
        ...fields(text, 'sha message login'),
        parents: texts(),
        date: time(),
        tree: z.record(text(), text()),
      }),
    ),
    refs: z.record(text(), z.strictObject({ sha: text(), type: z.enum(['commit', 'tag']) })),
  }),
  collaborators: z.record(text(), permission()),
  stargazers: z.union(
    [texts(), z.record(text(), z.union([time(), some([], { starredAt: time(), sequence: id() })]))],
    'expected logins, or logins with the time or with { starredAt, sequence }',
  ),
  pulls: list([], {
    ...made,
    number: id(),
    ...fields(text, 'title login'),
    ...fields(nullText, 'body mergeCommitSha'),
    state: z.enum(['open', 'closed']),
    ...fields(nullTime, 'closedAt mergedAt'),
    comments: count(),
    head: Side,
    base: Side,
  }),
  releases: list(['tagName'], {
    tagName: name(),
    id: id(),
    createdAt: time(),
    ...fields(text, 'targetCommitish login'),
    ...fields(nullText, 'name body'),
    ...fields(flag, 'draft prerelease'),
    publishedAt: nullTime(),
    assets: list(['name'], {
      name: name(),
      ...made,
      label: nullText(),
      contentType: headerText(),
      ...fields(text, 'sha256 login'),
      ...fields(count, 'size downloads'),
      content: Bytes,
    }),
  }),
  comments: list(['body'], {
    ...fields(text, 'body sha login'),
    ...made,
    path: nullText(),
    ...fields(nullCount, 'position line'),
  }),
  hooks: list(['config'], {
    config: z.record(text(), text()),
    ...made,
    name: text(),
    events: texts(),
    active: flag(),
    lastResponse: z.strictObject({
      code: z.nullable(z.int()),
      status: text(),
      message: nullText(),
    }),
  }),
  downloads: list(['name'], {
    name: name(),
    id: id(),
    createdAt: time(),
    ...fields(nullText, 'description contentType'),
    ...fields(count, 'size downloads'),
  }),
  pages: some([], {
    cname: nullText(),
    custom404: flag(),
    builds: list([], {
      ...made,
      status: z.nullable(z.enum(['building', 'built', 'errored'])),
      error: nullText(),
      ...fields(text, 'login commit'),
      duration: count(),
    }),
  }),
});

const Hosting = some([], {
  lastId: count(),
  accounts: list(['login'], {
    login: slug(),
    id: id(),
    type: z.enum(['User', 'Organization']),
    ...fields(flag, 'siteAdmin suspended'),
    ...fields(text, 'password otp'),
    owners: texts(),
  }),
  applications: list(['name'], {
    name: name(),
    ...fields(text, 'clientId clientSecret url'),
    callbackUrl: z.url(),
    ...fields(flag, 'anyPort suspended'),
  }),
  tokens: list(['login'], {
    login: slug(),
    token: name(),
    ...made,
    scopes: z.array(headerText()),
    clientId: text(),
    ...fields(nullText, 'note noteUrl'),
  }),
  repositories: z.array(Repository),
  teams: list(['org', 'name'], {
    org: slug(),
    name: name(),
    id: id(),
    permission: permission(),
    members: texts(),
    repos: z.array(fullName()),
  }),
  renamed: z.record(fullName(), fullName()),
});

const record = {
  id: id(),
  tags: texts(),
  notes: z.array(z.union([text(), some([], { date: z.number(), text: text(), userName: text() })])),
  ...fields(text, 'url updated_by'),
  ...fields(time, 'created updated'),
  attributes: z.record(text(), text()),
};

const Support = some([], {
  users: z.array(z.strictObject({ userName: name(), apiKey: name(), password: name() })),
  campaigns: z.array(name()),
  contacts: list([], {
    ...record,
    ...fields(text, 'name first_name last_name crm_id client_id extended_value'),
    // The fields of a profile depend on its channel.
    profiles: z.array(z.looseObject({ source: name() })),
  }),
  cases: list([], {
    ...record,
    ...fields(text, 'subject source'),
    ...fields(name, 'campaign state'),
    contact_id: id(),
    ...fields(flag, 'private reopened'),
    messages: z.array(z.strictObject({ source: text(), ext_id: text() })),
    lastOpened: time(),
  }),
  sessions: z.array(z.strictObject({ token: name(), userName: name(), expires: z.number() })),
});

const Console = some([], {
  licenseMd5: text(),
  settings: z.record(
    text(),
    z.unknown().check(z.refine(isData, 'expected JSON data of at most 100 levels')),
  ),
  maintenance: time(),
  standing: z.strictObject({
    status: text(),
    progress: z.array(z.looseObject({ key: text(), status: text() })),
  }),
  connections: z.record(text(), count()),
  keys: texts(),
});

const WorldSchema = some([], {
  now: time(),
  ahead: z.number(),
  hosting: Hosting,
  support: Support,
  console: Console,
});

/** Whether JSON and YAML can represent a value. Deeper values would overflow the stack. */
function isData(value: unknown, levels = 100): boolean {
  if (typeof value === 'string') return value.isWellFormed();
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object') return typeof value === 'boolean' || value === undefined;
  const inside = value === null ? [] : [...Object.keys(value), ...Object.values(value)];
  return levels > 0 && inside.every((each) => isData(each, levels - 1));
}

/**
 * Validates a world from any source.
 * @param where start of the error messages.
 * @throws {Error} if a field is invalid. Names the path of each invalid field.
 */
export function checkWorld(data: unknown, where: string): Dataset {
  const read = z.safeParse(WorldSchema, data, inEnglish);
  // Returns the input, because zod's copy of a record lacks `__proto__`, which is a valid file name. `as`: the
  // schema matches the interfaces, but zod types optional members differently.
  if (read.success) return data as Dataset;
  const problems = read.error.issues.flatMap((issue) => {
    const { path, message } = issue;
    if (issue.code !== 'unrecognized_keys') return [{ path, message }];
    return issue.keys.map((key) => ({ path: [...path, key], message: 'is unknown' }));
  });
  const lines = problems.slice(0, 10).map(({ path, message }) => {
    return `${where}: ${formatPath(path) || 'the whole'}: ${message}`;
  });
  const more = problems.length - lines.length;
  throw new Error([...lines, ...(more > 0 ? [`${where}: and ${more} more`] : [])].join('\n'));
}

function formatPath(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
}
