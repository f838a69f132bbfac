import { sha1 } from '../random.js';
import type { HostingContext } from './context.js';
import type { Repo } from './records/repository.js';
import type { TreeEntry } from './records/tree.js';
import { repoUrl, webUrl } from './render.js';

/** Percent-encodes each segment of a path. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeURIComponent).join('/');
}

/** Repository and reference of a content entry. */
export interface Place {
  readonly repo: Repo;
  /** Reference as requested. */
  readonly ref: string;
}

type Entry = TreeEntry | 'dir';

/** Renders the fields that every content entry has. */
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

/** Renders an entry of a directory. Directories list submodules as files. */
export function renderEntry(context: HostingContext, at: Place, path: string, entry: Entry) {
  const listed = entry === 'dir' || entry.kind === 'symlink';
  const kind = entry === 'dir' ? 'dir' : entry.kind;
  return { type: listed ? kind : 'file', ...common(context, at, path, entry) };
}

/** Renders a single entry. For a file, includes its content. */
export function renderFile(context: HostingContext, at: Place, path: string, entry: TreeEntry) {
  const whole = { type: entry.kind, ...common(context, at, path, entry) };
  if (entry.kind === 'symlink') return { ...whole, target: entry.target };
  if (entry.kind === 'submodule') return { ...whole, submodule_git_url: entry.url };
  const content = entry.bytes.toString('base64').replace(/.{60}/g, '$&\n');
  return { ...whole, encoding: 'base64', content };
}
