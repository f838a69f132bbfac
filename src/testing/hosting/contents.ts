import { sha1 } from '../random.js';
import { bytes, json, type Reply, redirect } from '../reply.js';
import type { Router } from '../router.js';
import {
  callerOf,
  type HostingContext,
  type HostingRoute,
  invalid,
  notFound,
  pushableRepoOf,
  Refused,
  repoOf,
  requiredField,
  stringField,
} from './context.js';
import { blobSha, type Repo, type TreeEntry } from './state.js';

type Tree = ReadonlyMap<string, TreeEntry>;

function treeOf(context: HostingContext, repo: Repo): [branch: string, tree: Tree] {
  const ref = context.query.get('ref') ?? repo.defaultBranch;
  const tree = repo.branches.get(ref);
  if (!tree) throw notFound();
  return [ref, tree];
}

function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

function baseOf(context: HostingContext, repo: Repo, path: string, ref: string): object {
  const api = `${context.api}/repos/${repo.owner}/${repo.name}`;
  return {
    name: path.slice(path.lastIndexOf('/') + 1),
    path,
    url: `${api}/contents/${encodePath(path)}?ref=${encodeURIComponent(ref)}`,
  };
}

function links(
  context: HostingContext,
  repo: Repo,
  path: string,
  ref: string,
  entry: TreeEntry | 'dir',
): object {
  const api = `${context.api}/repos/${repo.owner}/${repo.name}`;
  const web = `${context.origin}/${repo.owner}/${repo.name}`;
  const self = `${api}/contents/${encodePath(path)}?ref=${encodeURIComponent(ref)}`;
  const foreign = entry !== 'dir' && entry.kind === 'submodule' && !entry.hosted;
  const sha = entry === 'dir' ? sha1('tree', path) : entry.sha;
  const kind = entry === 'dir' ? 'trees' : 'blobs';
  const git = foreign ? null : `${api}/git/${kind}/${sha}`;
  const page = entry === 'dir' ? 'tree' : 'blob';
  const html = foreign ? null : `${web}/${page}/${ref}/${encodePath(path)}`;
  return { git_url: git, html_url: html, _links: { self, git, html } };
}

function renderFile(
  context: HostingContext,
  repo: Repo,
  path: string,
  ref: string,
  entry: TreeEntry,
): object {
  const base = { ...baseOf(context, repo, path, ref), ...links(context, repo, path, ref, entry) };
  if (entry.kind === 'symlink') {
    return {
      type: 'symlink',
      target: entry.target,
      size: entry.target.length,
      sha: entry.sha,
      ...base,
    };
  }
  if (entry.kind === 'submodule') {
    return { type: 'submodule', submodule_git_url: entry.url, size: 0, sha: entry.sha, ...base };
  }
  const content = entry.bytes.toString('base64').replace(/(.{60})/g, '$1\n');
  return {
    type: 'file',
    encoding: 'base64',
    size: entry.bytes.length,
    content,
    sha: entry.sha,
    ...base,
  };
}

/** Entries of a directory; undefined where there is none. A submodule is listed as a file (contract). */
function listing(
  context: HostingContext,
  repo: Repo,
  path: string,
  ref: string,
  tree: Tree,
): object[] | undefined {
  const prefix = path === '' ? '' : `${path}/`;
  const seen = new Map<string, object>();
  for (const [name, entry] of tree) {
    if (!name.startsWith(prefix)) continue;
    const [first = '', ...deeper] = name.slice(prefix.length).split('/');
    const whole = prefix + first;
    if (seen.has(whole)) continue;
    const shape = deeper.length > 0 ? 'dir' : entry;
    const type = shape === 'dir' ? 'dir' : shape.kind === 'symlink' ? 'symlink' : 'file';
    const size = shape !== 'dir' && shape.kind === 'file' ? shape.bytes.length : 0;
    const sha = shape === 'dir' ? sha1('tree', whole) : shape.sha;
    seen.set(whole, {
      type,
      size,
      sha,
      ...baseOf(context, repo, whole, ref),
      ...links(context, repo, whole, ref, shape),
    });
  }
  return seen.size === 0 && path !== '' ? undefined : [...seen.values()];
}

/** What a symlink of this repository leads to, where that is a file. */
function resolveLink(path: string, target: string, tree: Tree): TreeEntry | undefined {
  const folder = path.includes('/') ? path.slice(0, path.lastIndexOf('/') + 1) : '';
  const url = new URL(target, `http://tree/${folder}`);
  const found = tree.get(decodeURIComponent(url.pathname.slice(1)));
  return found?.kind === 'file' ? found : undefined;
}

function answerEntry(
  context: HostingContext,
  repo: Repo,
  path: string,
  ref: string,
  tree: Tree,
): Reply {
  let entry = tree.get(path);
  if (entry?.kind === 'symlink') entry = resolveLink(path, entry.target, tree) ?? entry;
  if (!entry) {
    const entries = listing(context, repo, path, ref, tree);
    if (!entries) throw notFound();
    return json(200, entries);
  }
  const raw = new RegExp(`^application/vnd\\.${context.vendor}(?:\\.v3)?\\.raw(?:\\+json)?$`);
  if (raw.test(context.accept) && entry.kind !== 'submodule') {
    const data = entry.kind === 'file' ? entry.bytes : Buffer.from(entry.target);
    return bytes(
      200,
      `application/vnd.${context.vendor}.v3.raw; charset=utf-8`,
      new Uint8Array(data),
    );
  }
  return json(200, renderFile(context, repo, path, ref, entry));
}

const get: HostingRoute = (context) => {
  const repo = repoOf(context);
  const [ref, tree] = treeOf(context, repo);
  return answerEntry(context, repo, context.param('path'), ref, tree);
};

const readme: HostingRoute = (context) => {
  const repo = repoOf(context);
  const [ref, tree] = treeOf(context, repo);
  const path = [...tree.keys()].find((name) => /^readme(?:\.\w+)?$/i.test(name));
  if (path === undefined) throw notFound();
  return answerEntry(context, repo, path, ref, tree);
};

/** 500 where a person lacks name or email (contract: Contents). */
function person(
  context: HostingContext,
  body: Record<string, unknown>,
  role: string,
  fallback: object,
): object {
  const given = body[role];
  if (given === undefined || given === null) return fallback;
  const { name, email } = given as { name?: unknown; email?: unknown };
  if (typeof name !== 'string' || typeof email !== 'string' || name === '' || email === '') {
    throw new Refused(json(500, { message: 'Server Error' }));
  }
  return { name, email, date: context.clock.iso() };
}

function commitOf(
  context: HostingContext,
  repo: Repo,
  body: Record<string, unknown>,
  path: string,
): object {
  const { login } = callerOf(context);
  const self = { name: login, email: `${login}@example.com`, date: context.clock.iso() };
  const committer = person(context, body, 'committer', self);
  const author = person(context, body, 'author', committer);
  const message = requiredField('Commit', body, 'message');
  const api = `${context.api}/repos/${repo.owner}/${repo.name}`;
  const web = `${context.origin}/${repo.owner}/${repo.name}`;
  const sha = sha1('commit', path, message, String(context.state.nextId()));
  const tree = sha1('tree', sha);
  const parent = repo.refs.get(`heads/${repo.defaultBranch}`)?.sha ?? sha1('root');
  return {
    sha,
    url: `${api}/git/commits/${sha}`,
    html_url: `${web}/commit/${sha}`,
    author,
    committer,
    message,
    tree: { sha: tree, url: `${api}/git/trees/${tree}` },
    parents: [
      { sha: parent, url: `${api}/git/commits/${parent}`, html_url: `${web}/commit/${parent}` },
    ],
  };
}

interface Change {
  readonly repo: Repo;
  readonly path: string;
  readonly branch: string;
  readonly tree: Map<string, TreeEntry>;
  readonly body: Record<string, unknown>;
}

async function changeOf(context: HostingContext): Promise<Change> {
  const repo = pushableRepoOf(context);
  const body = await context.body();
  const branch = stringField('Commit', body, 'branch') ?? repo.defaultBranch;
  const tree = repo.branches.get(branch);
  if (!tree) throw notFound();
  return { repo, path: context.param('path'), branch, tree, body };
}

function checkSha(change: Change, existing: TreeEntry): void {
  const sha = change.body.sha;
  if (typeof sha !== 'string') {
    throw new Refused(json(422, { message: 'Invalid request.\n\n"sha" wasn\'t supplied.' }));
  }
  if (sha !== existing.sha) {
    throw new Refused(json(409, { message: `${change.path} does not match ${sha}` }));
  }
}

const put: HostingRoute = async (context) => {
  const change = await changeOf(context);
  const { repo, path, branch, tree, body } = change;
  const encoded = body.content;
  if (typeof encoded !== 'string' || !/^[A-Za-z0-9+/\s]*={0,2}\s*$/.test(encoded)) {
    throw invalid({ resource: 'Commit', field: 'content', code: 'invalid' });
  }
  const existing = tree.get(path);
  if (existing) checkSha(change, existing);
  const commit = commitOf(context, repo, body, path);
  const data = Buffer.from(encoded, 'base64');
  const entry: TreeEntry = { kind: 'file', bytes: data, sha: blobSha(data) };
  tree.set(path, entry);
  const {
    content: _content,
    encoding: _encoding,
    ...item
  } = renderFile(context, repo, path, branch, entry) as Record<string, unknown>;
  const api = `${context.api}/repos/${repo.owner}/${repo.name}`;
  const location = `${api}/contents/${encodePath(path)}`;
  return existing
    ? json(200, { content: item, commit })
    : json(201, { content: item, commit }, { location });
};

const remove: HostingRoute = async (context) => {
  const change = await changeOf(context);
  const existing = change.tree.get(change.path);
  if (!existing) throw notFound();
  checkSha(change, existing);
  const commit = commitOf(context, change.repo, change.body, change.path);
  change.tree.delete(change.path);
  return json(200, { content: null, commit });
};

const archive =
  (format: string): HostingRoute =>
  (context) => {
    const repo = repoOf(context);
    const ref = context.params.ref === '' ? repo.defaultBranch : context.param('ref');
    return redirect(
      302,
      `${context.origin}/archives/${repo.owner}/${repo.name}/${format}/${encodePath(ref)}`,
    );
  };

/** Contents, readme and archives. */
export function addContents(router: Router<HostingRoute>): void {
  router.add('GET /repos/:owner/:repo/readme', readme);
  router.add('GET /repos/:owner/:repo/contents/*path', get);
  router.add('PUT /repos/:owner/:repo/contents/*path', put);
  router.add('DELETE /repos/:owner/:repo/contents/*path', remove);
  router.add('GET /repos/:owner/:repo/tarball/*ref', archive('tarball'));
  router.add('GET /repos/:owner/:repo/zipball/*ref', archive('zipball'));
}
