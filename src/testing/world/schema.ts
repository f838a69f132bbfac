import * as z from 'zod/mini';
import { inEnglish } from '../../schema/issues.js';
import type { World } from './world.js';

const text = () => z.string();
const texts = () => z.array(z.string());
const id = () => z.int().check(z.minimum(1));
const count = () => z.int().check(z.minimum(0));
const flag = () => z.boolean();
const time = () =>
  z.iso.datetime({ offset: true, error: "expected a time such as '2014-06-01T12:00:00Z'" });
const name = () => z.string().check(z.minLength(1));
const fullName = () => z.string().check(z.regex(/^[^/]+\/[^/]+$/, 'expected owner/name'));
const permission = () => z.enum(['pull', 'push', 'admin']);
/** An object of which only the `required` members must be there. */
function some<S extends z.core.$ZodLooseShape, R extends keyof S & string>(
  required: readonly R[],
  shape: S,
) {
  const needed = Object.fromEntries(required.map((name) => [name, shape[name]]));
  // `as`: the names and types are those of the shape.
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
  owner: name(),
  name: name(),
  ...made,
  description: z.nullable(text()),
  isPrivate: flag(),
  forkOf: fullName(),
  language: z.nullable(text()),
  defaultBranch: name(),
  files: z.record(text(), File),
  git: z.strictObject({
    objects: z.record(text(), File),
    commits: z.array(
      z.strictObject({
        sha: text(),
        parents: texts(),
        message: text(),
        login: text(),
        date: time(),
        tree: z.record(text(), text()),
      }),
    ),
    refs: z.record(text(), z.strictObject({ sha: text(), type: z.enum(['commit', 'tag']) })),
  }),
  collaborators: z.record(text(), permission()),
  stargazers: z.union([texts(), z.record(text(), time())], 'expected logins, or logins with times'),
  pulls: list([], {
    ...made,
    number: id(),
    title: text(),
    body: z.nullable(text()),
    state: z.enum(['open', 'closed']),
    login: text(),
    closedAt: z.nullable(time()),
    mergedAt: z.nullable(time()),
    mergeCommitSha: z.nullable(text()),
    comments: count(),
    head: Side,
    base: Side,
  }),
  releases: list(['tagName'], {
    tagName: name(),
    id: id(),
    createdAt: time(),
    targetCommitish: text(),
    name: z.nullable(text()),
    body: z.nullable(text()),
    draft: flag(),
    prerelease: flag(),
    publishedAt: z.nullable(time()),
    login: text(),
    assets: list(['name'], {
      name: name(),
      ...made,
      label: z.nullable(text()),
      contentType: text(),
      size: count(),
      sha256: text(),
      content: Bytes,
      downloads: count(),
      login: text(),
    }),
  }),
  comments: list(['body'], {
    body: text(),
    ...made,
    sha: text(),
    path: z.nullable(text()),
    position: z.nullable(count()),
    line: z.nullable(count()),
    login: text(),
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
      message: z.nullable(text()),
    }),
  }),
  downloads: list(['name'], {
    name: name(),
    id: id(),
    createdAt: time(),
    description: z.nullable(text()),
    size: count(),
    downloads: count(),
    contentType: z.nullable(text()),
  }),
  pages: some([], {
    cname: z.nullable(text()),
    custom404: flag(),
    builds: list([], {
      ...made,
      status: z.nullable(z.enum(['building', 'built', 'errored'])),
      error: z.nullable(text()),
      login: text(),
      commit: text(),
      duration: count(),
    }),
  }),
});

const Hosting = some([], {
  lastId: count(),
  accounts: list(['login'], {
    login: name(),
    id: id(),
    type: z.enum(['User', 'Organization']),
    siteAdmin: flag(),
    suspended: flag(),
    password: text(),
    otp: text(),
    owners: texts(),
  }),
  applications: list(['name'], {
    name: name(),
    clientId: text(),
    clientSecret: text(),
    url: text(),
    callbackUrl: z.url(),
    anyPort: flag(),
    suspended: flag(),
  }),
  tokens: list(['login'], {
    login: name(),
    ...made,
    token: name(),
    scopes: texts(),
    clientId: text(),
    note: z.nullable(text()),
    noteUrl: z.nullable(text()),
  }),
  repositories: z.array(Repository),
  teams: list(['org', 'name'], {
    org: name(),
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
  url: text(),
  created: time(),
  updated: time(),
  updated_by: text(),
  attributes: z.record(text(), text()),
};

const Support = some([], {
  users: z.array(z.strictObject({ userName: name(), apiKey: name(), password: name() })),
  campaigns: z.array(name()),
  contacts: list([], {
    ...record,
    name: text(),
    first_name: text(),
    last_name: text(),
    crm_id: text(),
    client_id: text(),
    extended_value: text(),
    // Which fields a profile has depends on its channel.
    profiles: z.array(z.looseObject({ source: name() })),
  }),
  cases: list([], {
    ...record,
    subject: text(),
    source: text(),
    campaign: name(),
    contact_id: id(),
    private: flag(),
    state: name(),
    messages: z.array(z.strictObject({ source: text(), ext_id: text() })),
    reopened: flag(),
    lastOpened: time(),
  }),
  sessions: z.array(z.strictObject({ token: name(), userName: name(), expires: z.number() })),
});

const Console = some([], {
  licenseMd5: text(),
  settings: z.record(text(), z.unknown()),
  maintenance: time(),
  standing: z.strictObject({
    status: text(),
    progress: z.array(z.looseObject({ key: text(), status: text() })),
  }),
  connections: z.record(text(), count()),
  keys: texts(),
});

const WorldSchema = some([], { now: time(), hosting: Hosting, support: Support, console: Console });

/**
 * A world from data of any origin.
 * @param where what the data is, as messages begin.
 * @throws {Error} names each field that is not what was expected, by its path
 */
export function checkWorld(data: unknown, where: string): World {
  const read = z.safeParse(WorldSchema, data, inEnglish);
  // `as`: the schema says what the interfaces say; zod writes optional members in another way.
  if (read.success) return read.data as World;
  const lines = read.error.issues.slice(0, 10).map(({ path, message }) => {
    return `${where}: ${pathOf(path) || 'the whole'}: ${message}`;
  });
  const more = read.error.issues.length - lines.length;
  throw new Error([...lines, ...(more > 0 ? [`${where}: and ${more} more`] : [])].join('\n'));
}

function pathOf(path: readonly PropertyKey[]): string {
  return path
    .map((part) => (typeof part === 'number' ? `[${part}]` : `.${String(part)}`))
    .join('')
    .replace(/^\./, '');
}
