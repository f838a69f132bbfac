import * as z from 'zod/mini';
import { fields } from '../../schema/fields.js';
import { listOf, model, nullable, nullish, openEnum, ref, unionModel } from '../../schema/model.js';

/** Where an entry leads. For submodules that another service hosts, `git` and `html` are null. */
export interface ContentLinks {
  /** The entry in the API. */
  self: string;
  /** The git object (blob or tree) in the API. */
  git: string | null;
  /** Web page. */
  html: string | null;
}

/** What all entries have. */
interface ContentBase {
  /** Size in bytes; 0 for directories and submodules. */
  size: number;
  /** Last segment of the path. */
  name: string;
  /** Path from the repository's root, without a leading slash. */
  path: string;
  /** SHA of the git object. Updating and deleting a file take it. */
  sha: string;
  /** API URL of the entry. Absent on servers of 2012, see `_links.self`. */
  url?: string | null | undefined;
  /** API URL of the git object; null for a submodule that another service hosts. Absent on servers of 2012. */
  git_url?: string | null | undefined;
  /** Web page; null for a submodule that another service hosts. Absent on servers of 2012. */
  html_url?: string | null | undefined;
  /** URL of the raw bytes; null where there are none. @remarks Known from the public v3 documentation. */
  download_url?: string | null | undefined;
  /** Related resources. */
  _links: ContentLinks;
}

/**
 * A file without its content, as directory listings and file commits give it.
 * In listings a submodule looks like this too (kept by the service for backward compatibility, it
 * becomes `submodule` in the next major version): its `git_url` does not lead to a blob, and is null
 * when another service hosts it.
 */
export interface ContentFileItem extends ContentBase {
  /** Always `file`. */
  type: 'file';
  /** Sent by some servers for a submodule that is listed as a file: where it is cloned from. */
  submodule_git_url?: string | null | undefined;
}

/** A file with its content. */
export interface ContentFile extends ContentBase {
  /** Always `file`. */
  type: 'file';
  /** How `content` is encoded. Newer servers say `none` for files too large to be included. */
  encoding: 'base64' | (string & {});
  /** The file's bytes in Base64, broken into lines; null if it is blank, as for an empty file. */
  content: string | null;
}

/** A directory within a listing. */
export interface ContentDirectory extends ContentBase {
  /** Always `dir`. */
  type: 'dir';
}

/** A symbolic link within a listing. */
export interface ContentSymlinkItem extends ContentBase {
  /** Always `symlink`. */
  type: 'symlink';
  /** What it points to; most servers leave it out of listings. */
  target?: string | null | undefined;
}

/** A symbolic link that does not lead to a file of the repository. */
export interface ContentSymlink extends ContentBase {
  /** Always `symlink`. */
  type: 'symlink';
  /** What it points to, as stored. */
  target: string;
}

/** A submodule within a listing, on servers that do not list it as a file. */
export interface ContentSubmoduleItem extends ContentBase {
  /** Submodules are listed as `file` by some servers. */
  type: 'submodule';
  /** Where it is cloned from; null when the repository does not say. */
  submodule_git_url?: string | null | undefined;
}

/** A submodule. */
export interface ContentSubmodule extends ContentBase {
  /** Always `submodule`. */
  type: 'submodule';
  /** Where it is cloned from; null when the repository does not say. */
  submodule_git_url: string | null;
}

/** One entry of a repository by itself; `type` tells which. Directories answer with a list of {@link ContentItem}. */
export type ContentEntry = ContentFile | ContentDirectory | ContentSymlink | ContentSubmodule;

/** One entry of a directory listing; `type` tells which. Files come without content. */
export type ContentItem =
  | ContentFileItem
  | ContentDirectory
  | ContentSymlinkItem
  | ContentSubmoduleItem;

/** What `contents.get` answers: one entry, or the entries of a directory. */
export type ContentResult = ContentEntry | ContentItem[];

export const ContentLinks = model<ContentLinks>()('ContentLinks', () => ({
  self: z.string(),
  ...fields(nullable(z.string), 'git html'),
}));

const base = () => ({
  size: z.int(),
  ...fields(z.string, 'name path sha'),
  ...fields(nullish(z.string), 'url git_url html_url download_url'),
  _links: ref(ContentLinks),
});

export const ContentFileItem = model<ContentFileItem>()('ContentFileItem', () => ({
  ...base(),
  type: z.literal('file'),
  submodule_git_url: z.nullish(z.string()),
}));

export const ContentFile = model<ContentFile>()('ContentFile', () => ({
  ...base(),
  type: z.literal('file'),
  encoding: openEnum('base64'),
  content: z.nullable(z.string()),
}));

export const ContentDirectory = model<ContentDirectory>()('ContentDirectory', () => ({
  ...base(),
  type: z.literal('dir'),
}));

export const ContentSymlinkItem = model<ContentSymlinkItem>()('ContentSymlinkItem', () => ({
  ...base(),
  type: z.literal('symlink'),
  target: z.nullish(z.string()),
}));

export const ContentSymlink = model<ContentSymlink>()('ContentSymlink', () => ({
  ...base(),
  type: z.literal('symlink'),
  target: z.string(),
}));

export const ContentSubmoduleItem = model<ContentSubmoduleItem>()('ContentSubmoduleItem', () => ({
  ...base(),
  type: z.literal('submodule'),
  submodule_git_url: z.nullish(z.string()),
}));

export const ContentSubmodule = model<ContentSubmodule>()('ContentSubmodule', () => ({
  ...base(),
  type: z.literal('submodule'),
  submodule_git_url: z.nullable(z.string()),
}));

export const ContentEntry = unionModel<ContentEntry>(
  'ContentEntry',
  [ContentFile, ContentDirectory, ContentSymlink, ContentSubmodule],
  'type',
);

export const ContentItem = unionModel<ContentItem>(
  'ContentItem',
  [ContentFileItem, ContentDirectory, ContentSymlinkItem, ContentSubmoduleItem],
  'type',
);

export const ContentResult = unionModel<ContentResult>('ContentResult', [
  ContentEntry,
  listOf(ContentItem),
]);
