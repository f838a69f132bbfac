import * as z from 'zod/mini';
import {
  defineList,
  fields,
  model,
  nullable,
  nullish,
  openEnum,
  ref,
  unionModel,
} from '../../schema/model.js';

import { User } from './repository.js';

/** Links of an entry. `git` and `html` are null for submodules hosted by another service. */
export interface ContentLinks {
  /** API URL of the entry. */
  self: string;
  /** API URL of the git object (blob or tree). */
  git: string | null;
  /** URL of the entry's web page. */
  html: string | null;
}

/** Fields common to all entries. */
interface ContentBase {
  /** Size in bytes. 0 for directories and submodules. */
  size: number;
  /** Last segment of `path`. */
  name: string;
  /** Path relative to the repository's root, without a leading slash. */
  path: string;
  /** SHA of the git object. Required to update or delete a file. */
  sha: string;
  /** API URL of the entry. Absent on 2012-era servers, which send it only as `_links.self`. */
  url?: string | null | undefined;
  /**
   * API URL of the git object. Null for a submodule hosted by another service. Absent on 2012-era
   * servers.
   */
  git_url?: string | null | undefined;
  /**
   * URL of the entry's web page. Null for a submodule hosted by another service. Absent on 2012-era
   * servers.
   */
  html_url?: string | null | undefined;
  /** URL of the raw file. Null if the entry has no raw file. */
  download_url?: string | null | undefined;
  /** Related resources. */
  _links: ContentLinks;
}

/** File with its content. */
export interface ContentFile extends ContentBase {
  /** Always `file`. */
  type: 'file';
  /** Encoding of `content`. Newer servers send `none` for files too large to include. */
  encoding: 'base64' | (string & {});
  /**
   * Content in Base64, which can contain line breaks. Empty or null if the file is empty or too
   * large to include.
   */
  content: string | null;
}

/** Directory. */
export interface ContentDirectory extends ContentBase {
  /** Always `dir`. */
  type: 'dir';
}

/** Symbolic link that doesn't point to a file in the repository. */
export interface ContentSymlink extends ContentBase {
  /** Always `symlink`. */
  type: 'symlink';
  /** Path that the link points to, as stored. */
  target: string;
}

/** Submodule. */
export interface ContentSubmodule extends ContentBase {
  /** Always `submodule`. */
  type: 'submodule';
  /** Clone URL. Null if the repository doesn't specify it. */
  submodule_git_url: string | null;
}

/**
 * Single entry in a repository, distinguished by `type`. Directories are returned as a list of
 * {@link ContentItem}.
 */
export type ContentEntry = ContentFile | ContentDirectory | ContentSymlink | ContentSubmodule;

/**
 * Entry in a directory listing, or a file that was created or updated. Doesn't include the
 * file's content.
 */
export interface ContentItem extends ContentBase {
  /**
   * Type of the entry. For backward compatibility, most servers list submodules as `file`. The
   * API's next major version will list them as `submodule`.
   */
  type: 'file' | 'dir' | 'symlink' | 'submodule';
  /** Path that a symbolic link points to. Most servers omit it. */
  target?: string | null | undefined;
  /** Clone URL of a submodule. Most servers omit it. */
  submodule_git_url?: string | null | undefined;
}

/** Result of `contents.get`: a single entry, or the entries of a directory. */
export type ContentResult = ContentEntry | ContentItem[];

export const ContentLinks = model<ContentLinks>()('ContentLinks', () => ({
  self: z.string(),
  ...fields(nullable(z.string), 'git html'),
}));

const contentFields = () => ({
  size: z.int(),
  ...fields(z.string, 'name path sha'),
  ...fields(nullish(z.string), 'url git_url html_url download_url'),
  _links: ref(ContentLinks),
});

export const ContentFile = model<ContentFile>()('ContentFile', () => ({
  ...contentFields(),
  type: z.literal('file'),
  encoding: openEnum('base64'),
  content: z.nullable(z.string()),
}));

export const ContentDirectory = model<ContentDirectory>()('ContentDirectory', () => ({
  ...contentFields(),
  type: z.literal('dir'),
}));

export const ContentSymlink = model<ContentSymlink>()('ContentSymlink', () => ({
  ...contentFields(),
  type: z.literal('symlink'),
  target: z.string(),
}));

export const ContentSubmodule = model<ContentSubmodule>()('ContentSubmodule', () => ({
  ...contentFields(),
  type: z.literal('submodule'),
  submodule_git_url: z.nullable(z.string()),
}));

export const ContentEntry = unionModel<ContentEntry>(
  'ContentEntry',
  [ContentFile, ContentDirectory, ContentSymlink, ContentSubmodule],
  'type',
);

export const ContentItem = model<ContentItem>()('ContentItem', () => ({
  ...contentFields(),
  type: z.literal(['file', 'dir', 'symlink', 'submodule']),
  ...fields(nullish(z.string), 'target submodule_git_url'),
}));

export const ContentResult = unionModel<ContentResult>('ContentResult', [
  ContentEntry,
  defineList(ContentItem),
]);

/** Status of a site or a build. */
export type PagesStatus = 'building' | 'built' | 'errored' | (string & {});

/** A repository's Pages site. */
export interface PagesSite {
  /** API URL of the site. */
  url: string;
  /** Status of the last build. Null before the first build. */
  status: PagesStatus | null;
  /** Custom domain of the site. Null if there is none. */
  cname: string | null;
  /** Whether the site has a custom 404 page. */
  custom_404: boolean;
}

/** Reason for a build failure. */
export interface PagesBuildError {
  /** Human-readable message. Null if the build didn't fail. */
  message: string | null;
}

/** Build of a Pages site. */
export interface PagesBuild {
  /** API URL of the build. */
  url: string;
  /** Status of the build. Null before the build starts. */
  status: PagesStatus | null;
  /** Reason for the build failure. */
  error: PagesBuildError | null;
  /** User whose push triggered the build. May be null if the account was deleted. */
  pusher: User | null;
  /** SHA of the commit that was built. Null until the commit is known. */
  commit: string | null;
  /** Duration of the build in milliseconds. May be null until the build finishes. */
  duration: number | null;
  /** Start time, `YYYY-MM-DDTHH:MM:SSZ`. */
  created_at: string;
  /** Time of the last change, `YYYY-MM-DDTHH:MM:SSZ`. */
  updated_at: string;
}

const buildStatus = () => z.nullable(openEnum('building', 'built', 'errored'));

export const PagesSite = model<PagesSite>()('PagesSite', () => ({
  url: z.string(),
  status: buildStatus(),
  cname: z.nullable(z.string()),
  custom_404: z.boolean(),
}));

export const PagesBuildError = model<PagesBuildError>()('PagesBuildError', () => ({
  message: z.nullable(z.string()),
}));

export const PagesBuild = model<PagesBuild>()('PagesBuild', () => ({
  ...fields(z.string, 'url created_at updated_at'),
  status: buildStatus(),
  error: z.nullable(ref(PagesBuildError)),
  pusher: z.nullable(ref(User)),
  commit: z.nullable(z.string()),
  duration: z.nullable(z.int()),
}));
