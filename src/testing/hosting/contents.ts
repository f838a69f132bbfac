import { blobSha, sha1 } from '../random.js';
import { createReply, HttpError, json, type Reply } from '../reply.js';
import { requireCaller, requirePushableRepo, requireRepo } from './access.js';
import type { HostingContext, HostingRoutes } from './context.js';
import { emitPush } from './events.js';
import { type Body, hashField, requiredField, stringField } from './fields.js';
import { commitTo, findTree } from './git.js';
import type { Repo } from './records/repository.js';
import type { TreeEntry } from './records/tree.js';
import { found, invalid, unprocessable } from './refusals.js';
import { emailOf, encodePath, repoUrl, webUrl } from './render.js';

/** Repository and reference of a content entry. */
interface Place {
  readonly repo: Repo;
  /** Reference as requested. */
  readonly ref: string;
}

type Entry = TreeEntry | 'dir';

/** Renders the fields common to all content entries. */
function common(context: HostingContext, place: Place, path: string, entry: Entry): object {
  const { repo, ref } = place;
  const api = repoUrl(context, repo);
  const web = webUrl(context, repo);
  const self = `${api}/contents/${encodePath(path)}?ref=${encodeURIComponent(ref)}`;
  const foreign = entry !== 'dir' && entry.kind === 'submodule' && !entry.hosted;
  const sha = entry === 'dir' ? sha1('tree', path) : entry.sha;
  const git = foreign ? null : `${api}/git/${entry === 'dir' ? 'trees' : 'blobs'}/${sha}`;
  const page = entry === 'dir' ? 'tree' : 'blob';
  const html = foreign ? null : `${web}/${page}/${encodePath(ref)}/${encodePath(path)}`;
  return {
    name: path.slice(path.lastIndexOf('/') + 1),
    path,
    sha,
    size: measureEntry(entry),
    url: self,
    html_url: html,
    git_url: git,
    _links: { self, git, html },
  };
}

function measureEntry(entry: Entry): number {
  if (entry === 'dir' || entry.kind === 'submodule') return 0;
  return entry.kind === 'file' ? entry.bytes.length : Buffer.byteLength(entry.target);
}

/** Renders a directory entry. Directories list submodules as files. */
function renderEntry(context: HostingContext, at: Place, path: string, entry: Entry) {
  const listed = entry === 'dir' || entry.kind === 'symlink';
  const kind = entry === 'dir' ? 'dir' : entry.kind;
  return { type: listed ? kind : 'file', ...common(context, at, path, entry) };
}

/** Renders a single entry, including a file's content. */
function renderFile(context: HostingContext, at: Place, path: string, entry: TreeEntry) {
  const whole = { type: entry.kind, ...common(context, at, path, entry) };
  if (entry.kind === 'symlink') return { ...whole, target: entry.target };
  if (entry.kind === 'submodule') return { ...whole, submodule_git_url: entry.url };
  const content = entry.bytes.toString('base64').replace(/.{60}/g, '$&\n');
  return { ...whole, encoding: 'base64', content };
}

/** A repository's files at a reference. */
interface Files extends Place {
  readonly tree: ReadonlyMap<string, TreeEntry>;
}

/** Returns the files at the requested reference. @throws {HttpError} 404 if the reference is unknown. */
function findFiles(context: HostingContext): Files {
  const repo = requireRepo(context);
  const ref = context.query.get('ref') ?? repo.defaultBranch;
  const tree = found(findTree(repo, ref));
  return { repo, ref, tree };
}

/**
 * Returns a directory's entries, sorted by name as in git. Undefined if the directory doesn't
 * exist.
 */
function listing(context: HostingContext, files: Files, path: string): object[] | undefined {
  const prefix = path === '' ? '' : `${path}/`;
  const seen = new Map<string, object>();
  for (const [name, entry] of [...files.tree].sort(([a], [b]) => (a < b ? -1 : 1))) {
    if (!name.startsWith(prefix)) continue;
    const end = name.indexOf('/', prefix.length);
    const whole = end < 0 ? name : name.slice(0, end);
    seen.set(whole, renderEntry(context, files, whole, end < 0 ? entry : 'dir'));
  }
  return seen.size === 0 && path !== '' ? undefined : [...seen.values()];
}

/** Returns the file that a symlink within this repository points to. Undefined if there is no such file. */
function resolveSymlink(path: string, target: string, { tree }: Files): TreeEntry | undefined {
  const parts = target.startsWith('/') ? [] : path.split('/').slice(0, -1);
  for (const part of target.split('/')) {
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  const found = tree.get(parts.join('/'));
  return found?.kind === 'file' ? found : undefined;
}

function respondWithEntry(context: HostingContext, files: Files, path: string): Reply {
  let entry = files.tree.get(path);
  if (entry?.kind === 'symlink') entry = resolveSymlink(path, entry.target, files) ?? entry;
  if (!entry) {
    const entries = found(listing(context, files, path));
    return json(200, entries);
  }
  if (acceptsRaw(context) && entry.kind !== 'submodule') {
    const data = entry.kind === 'file' ? entry.bytes : Buffer.from(entry.target);
    const type = `application/vnd.${context.service.vendor}.v3.raw; charset=utf-8`;
    return createReply(200, type, new Uint8Array(data));
  }
  if (entry.kind === 'file' && entry.bytes.length > largest) {
    const message = 'This API returns blobs up to 1 MB in size.';
    const errors = [{ resource: 'Blob', field: 'data', code: 'too_large' }];
    throw new HttpError(json(403, { message, errors }));
  }
  return json(200, renderFile(context, files, path, entry));
}

/** Matches Base64 with or without padding. */
const base64 = /^(?:[A-Za-z\d+/]{4})*(?:[A-Za-z\d+/]{2}(?:==)?|[A-Za-z\d+/]{3}=?)?$/;

/** Maximum size of a file's content in bytes. */
const largest = 1_048_576;

function acceptsRaw(context: HostingContext): boolean {
  const word = `application/vnd.${context.service.vendor}`;
  const raws = [`${word}.raw`, `${word}.v3.raw`, `${word}.beta.raw`];
  return raws.includes(context.accept.replace('+json', ''));
}

/**
 * Returns an author or committer.
 * @throws {HttpError} 500, as in the service, if the name or email is missing.
 */
function person(context: HostingContext, body: Body, role: string, fallback: object): object {
  const passed = hashField('Commit', body, role);
  if (!passed) return fallback;
  const { name, email } = passed;
  if (typeof name !== 'string' || typeof email !== 'string' || name === '' || email === '') {
    throw new HttpError(json(500, { message: 'Server Error' }));
  }
  return { name, email, date: context.clock.iso() };
}

/** Commits a change and renders the commit. */
function commitChange(context: HostingContext, change: ContentChange, apply: () => void): object {
  const { repo, branch, body } = change;
  const { login } = requireCaller(context);
  const date = context.clock.iso();
  const self = { name: login, email: emailOf(login), date };
  const committer = person(context, body, 'committer', self);
  const author = person(context, body, 'author', committer);
  const message = requiredField('Commit', body, 'message');
  apply();
  const commit = commitTo(repo, branch, { message, login, date });
  emitPush(context, repo, `refs/heads/${branch}`, commit);
  const api = `${repoUrl(context, repo)}/git`;
  const web = webUrl(context, repo);
  const { sha } = commit;
  const tree = sha1('tree', sha);
  return {
    sha,
    url: `${api}/commits/${sha}`,
    html_url: `${web}/commit/${sha}`,
    author,
    committer,
    message,
    tree: { sha: tree, url: `${api}/trees/${tree}` },
    parents: commit.parents.map((parent) => ({
      sha: parent,
      url: `${api}/commits/${parent}`,
      html_url: `${web}/commit/${parent}`,
    })),
  };
}

type ContentChange = Awaited<ReturnType<typeof parseChange>>;

async function parseChange(context: HostingContext) {
  const repo = requirePushableRepo(context);
  const sent = await context.body();
  // Old clients send a DELETE request's inputs in the query.
  const body: Body =
    context.request.method === 'DELETE' ? { ...queryInputs(context.query), ...sent } : sent;
  const branch = stringField('Commit', body, 'branch') || repo.defaultBranch;
  const tree = found(repo.branches.get(branch));
  return { repo, path: context.param('path'), branch, tree, body };
}

/** Reads the inputs from a query. `author[name]` becomes a field of the `author` object. */
function queryInputs(query: URLSearchParams): Record<string, unknown> {
  const inputs: Record<string, unknown> = {};
  for (const role of ['author', 'committer']) {
    const [name, email] = [query.get(`${role}[name]`), query.get(`${role}[email]`)];
    if (name !== null || email !== null) inputs[role] = { name, email };
  }
  for (const name of ['message', 'sha', 'branch']) inputs[name] = query.get(name) ?? undefined;
  return inputs;
}

/** Checks the `sha` of the file to replace or delete. @throws {HttpError} 422 if it is missing, 409 if it differs. */
function checkSha(change: ContentChange, existing: TreeEntry): void {
  const sha = stringField('Commit', change.body, 'sha');
  if (sha === undefined) throw unprocessable('Invalid request.\n\n"sha" wasn\'t supplied.');
  if (sha !== existing.sha) {
    throw new HttpError(json(409, { message: `${change.path} does not match ${sha}` }));
  }
}

/**
 * Returns whether git can store a file at a path: every name is valid, no parent is a file, and the
 * path is not a directory.
 */
function isFilePath(tree: ReadonlyMap<string, TreeEntry>, path: string): boolean {
  const names = path.split('/');
  return (
    !names.some((name, index) => {
      return /^\.{0,2}$|^\.git$/i.test(name) || tree.has(names.slice(0, index).join('/'));
    }) && ![...tree.keys()].some((each) => each.startsWith(`${path}/`))
  );
}

export const contentRoutes: HostingRoutes = {
  'GET /repos/:owner/:repo/readme': (context) => {
    const files = findFiles(context);
    const path = found([...files.tree.keys()].find((name) => /^readme(?:\.\w+)?$/i.test(name)));
    return respondWithEntry(context, files, path);
  },

  'GET /repos/:owner/:repo/contents/*path': (context) =>
    respondWithEntry(context, findFiles(context), context.param('path')),
  'PUT /repos/:owner/:repo/contents/*path': async (context) => {
    const change = await parseChange(context);
    const { repo, path, branch, tree, body } = change;
    const encoded = stringField('Commit', body, 'content')?.replaceAll(/\s/g, '');
    if (encoded === undefined || !base64.test(encoded)) {
      throw invalid('Commit', 'content', 'invalid');
    }
    if (!isFilePath(tree, path)) throw invalid('Commit', 'path', 'invalid');
    const existing = tree.get(path);
    if (existing) checkSha(change, existing);
    const data = Buffer.from(encoded, 'base64');
    if (data.length > largest) throw invalid('Commit', 'content', 'too_large');
    const entry: TreeEntry = { kind: 'file', bytes: data, sha: blobSha(data) };
    const commit = commitChange(context, change, () => tree.set(path, entry));
    const content = renderEntry(context, { repo, ref: branch }, path, entry);
    if (existing) return json(200, { content, commit });
    const location = `${repoUrl(context, repo)}/contents/${encodePath(path)}`;
    return json(201, { content, commit }, { location });
  },

  'DELETE /repos/:owner/:repo/contents/*path': async (context) => {
    const change = await parseChange(context);
    const existing = found(change.tree.get(change.path));
    checkSha(change, existing);
    const commit = commitChange(context, change, () => change.tree.delete(change.path));
    return json(200, { content: null, commit });
  },
};
